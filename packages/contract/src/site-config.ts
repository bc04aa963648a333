import * as z from 'zod'

/** The path on the site's own origin that returns the addresses of the three APIs (CALL-2, CALL-3). */
export const SITE_CONFIG_PATH = '/config.json'

/** An address with its scheme, or '/' for the origin the page came from. */
const ApiUrl = z.union([z.literal('/'), z.url({ protocol: /^https?$/ })])

export const SiteConfig = z
  .object({ trading_api_url: ApiUrl, admin_api_url: ApiUrl, database_api_url: ApiUrl })
  .meta({ id: 'SiteConfig' })
export type SiteConfig = z.output<typeof SiteConfig>
