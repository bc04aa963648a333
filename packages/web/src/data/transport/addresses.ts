import { PORTS, SITE_CONFIG_PATH, SiteConfig } from '@binnacle/contract'
import { parseJson } from '#data/failure.ts'
import { readPageData } from './page-data.ts'

/** The base URL of each API, without a trailing slash. */
export interface Addresses {
  trading: string
  admin: string
  database: string
}

/** CALL-35: addresses set at build time take precedence. */
export interface BuiltAddresses {
  trading?: string | undefined
  admin?: string | undefined
}

const CONFIG_TIMEOUT_MS = 30_000

let resolved: Promise<Addresses> | undefined

/** The addresses, loaded once; after a failure the next call loads again. */
export function loadAddresses(): Promise<Addresses> {
  resolved ??= loadSiteConfig().then(
    (config) => resolvePageAddresses({ config }),
    (error: unknown) => {
      resolved = undefined
      throw error
    },
  )
  return resolved
}

export function resolvePageAddresses({ config }: { config: unknown }): Addresses {
  return resolveAddresses(globalThis.location, config, builtAddresses())
}

/** For tests. */
export function resetAddresses(): void {
  resolved = undefined
}

export function resolveAddresses(
  page: Pick<Location, 'protocol' | 'hostname' | 'origin'>,
  siteConfig: unknown,
  built: BuiltAddresses,
): Addresses {
  const config = SiteConfig.safeParse(siteConfig).data
  const atPort = (port: number) => `${page.protocol}//${page.hostname}:${port}`
  const configured = (url: string | undefined, port: number) =>
    url === undefined ? atPort(port) : new URL(url, page.origin).href
  return {
    trading: withoutSlash(built.trading || configured(config?.trading_api_url, PORTS.trading)),
    admin: withoutSlash(built.admin || configured(config?.admin_api_url, PORTS.admin)),
    database: withoutSlash(configured(config?.database_api_url, PORTS.database)),
  }
}

/** In the page, or loaded where another server sent it. */
async function loadSiteConfig(): Promise<unknown> {
  const inPage = readPageData()
  if (inPage !== undefined) return inPage.config
  const response = await fetch(SITE_CONFIG_PATH, { signal: AbortSignal.timeout(CONFIG_TIMEOUT_MS) })
  return response.ok ? parseJson(await response.text()) : undefined
}

function builtAddresses(): BuiltAddresses {
  return { trading: import.meta.env.VITE_TRADING_API_URL, admin: import.meta.env.VITE_ADMIN_API_URL }
}

function withoutSlash(url: string): string {
  return url.replace(/\/+$/, '')
}
