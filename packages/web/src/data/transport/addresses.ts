import { PORTS, SITE_CONFIG_PATH, SiteConfig } from '@binnacle/contract'
import { parseJson } from '#data/failure.ts'

/** Where each API is reached: an origin, perhaps with a path, without a slash at the end. */
export interface Addresses {
  trading: string
  admin: string
  database: string
}

/** Addresses fixed when the site was built; they win over everything. */
export interface BuiltAddresses {
  trading?: string | undefined
  admin?: string | undefined
}

/** A search that hangs is given up, so that the next call can start a new one. */
const ASK_TIMEOUT_MS = 30_000

let resolved: Promise<Addresses> | undefined

/** The three addresses, found once; a failure to ask is not remembered. */
export function findAddresses(): Promise<Addresses> {
  resolved ??= askSite().then(
    (configText) => resolveAddresses(window.location, configText, builtAddresses()),
    (error: unknown) => {
      resolved = undefined
      throw error
    },
  )
  return resolved
}

/** Tests start from an unknown world. */
export function forgetAddresses(): void {
  resolved = undefined
}

export function resolveAddresses(
  page: Pick<Location, 'protocol' | 'hostname' | 'origin'>,
  configText: string | undefined,
  built: BuiltAddresses,
): Addresses {
  const config = SiteConfig.safeParse(parseJson(configText ?? '')).data
  const atPort = (port: number) => `${page.protocol}//${page.hostname}:${port}`
  const configured = (url: string | undefined, port: number) =>
    url === undefined ? atPort(port) : new URL(url, page.origin).href
  return {
    trading: withoutSlash(built.trading || configured(config?.trading_api_url, PORTS.trading)),
    admin: withoutSlash(built.admin || configured(config?.admin_api_url, PORTS.admin)),
    database: withoutSlash(configured(config?.database_api_url, PORTS.database)),
  }
}

async function askSite(): Promise<string | undefined> {
  const response = await fetch(SITE_CONFIG_PATH, { signal: AbortSignal.timeout(ASK_TIMEOUT_MS) })
  return response.ok ? response.text() : undefined
}

function builtAddresses(): BuiltAddresses {
  return { trading: import.meta.env.VITE_TRADING_API_URL, admin: import.meta.env.VITE_ADMIN_API_URL }
}

function withoutSlash(url: string): string {
  return url.replace(/\/+$/, '')
}
