import type { Anchor, Page, PageRequest } from '@binnacle/stores'

/** Caches the keys of served pages, so that neighbouring pages are read by key. */
export interface PageKeyCache {
  anchorOf(connectionId: string, request: PageRequest): Anchor | undefined
  set(connectionId: string, request: PageRequest, page: Page): void
  /** After a write, rows may have moved to other offsets. */
  invalidate(connectionId: string): void
}

interface ServedPage {
  offset: number
  count: number
  page: Pick<Page, 'firstKey' | 'lastKey'>
  atMs: number
}

/** A key is trusted for its offset this long, although rows may be added and removed. */
const KEY_MAX_AGE_MS = 60_000
const MAX_PAGES_PER_TABLE = 8
const MAX_TABLES = 200

export function createPageKeyCache(nowMs = () => performance.now()): PageKeyCache {
  const tables = new Map<string, ServedPage[]>()
  return {
    anchorOf(connectionId, request) {
      if (request.sort !== undefined || request.offset === 0) return undefined
      const fresh = (tables.get(nameOf(connectionId, request)) ?? []).filter(
        ({ atMs }) => nowMs() - atMs < KEY_MAX_AGE_MS,
      )
      return after(fresh, request) ?? before(fresh, request)
    },
    set(connectionId, request, { rows, firstKey, lastKey }) {
      if (request.sort !== undefined || firstKey === undefined) return
      const name = nameOf(connectionId, request)
      const served = {
        offset: request.offset,
        count: rows.length,
        page: { firstKey, lastKey },
        atMs: nowMs(),
      }
      const pages = [served, ...(tables.get(name) ?? [])].slice(0, MAX_PAGES_PER_TABLE)
      tables.delete(name)
      tables.set(name, pages)
      const [oldest] = tables.keys()
      if (tables.size > MAX_TABLES && oldest !== undefined) tables.delete(oldest)
    },
    invalidate(connectionId) {
      const prefix = `${JSON.stringify(connectionId)},`
      for (const name of tables.keys()) if (name.startsWith(`[${prefix}`)) tables.delete(name)
    },
  }
}

function after(pages: readonly ServedPage[], { offset }: PageRequest): Anchor | undefined {
  const key = pages.find((served) => served.offset + served.count === offset)?.page.lastKey
  return key && { key, side: 'after' }
}

function before(pages: readonly ServedPage[], { offset, limit }: PageRequest): Anchor | undefined {
  const key = pages.find((served) => served.offset === offset + limit)?.page.firstKey
  return key && { key, side: 'before' }
}

function nameOf(connectionId: string, { table, filter }: PageRequest): string {
  return JSON.stringify([connectionId, table, filter])
}
