import * as z from 'zod'
import { object } from '#object.ts'
import { Capabilities } from '#trading/service.ts'

/** The path on the site's own origin that returns the addresses of the three APIs (CALL-2, CALL-3). */
export const SITE_CONFIG_PATH = '/config.json'

/** An address with its scheme, or '/' for the origin the page came from. */
const ApiUrl = z.union([z.literal('/'), z.url({ protocol: /^https?$/ })])

export const SiteConfig = object(() => ({
  trading_api_url: ApiUrl,
  admin_api_url: ApiUrl,
  database_api_url: ApiUrl,
})).meta({ id: 'SiteConfig' })
export type SiteConfig = z.output<typeof SiteConfig>

/** The id of the script element in which the page carries what the console would ask for first (CALL-85). */
export const PAGE_DATA_ID = 'page-data'

/** The id of the script element with the replies that the page was rendered with, by path (SHELL-210). */
export const PAGE_REPLIES_ID = 'page-replies'

/** Both are as their own calls return them. */
export const PageData = object(() => ({ config: SiteConfig, capabilities: Capabilities }))
export type PageData = z.input<typeof PageData>
