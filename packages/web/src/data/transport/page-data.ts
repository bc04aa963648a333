import { PAGE_DATA_ID, PAGE_REPLIES_ID, PageData } from '@binnacle/contract'
import { parseJson } from '#data/failure.ts'

/** Set during server-side rendering, where there is no document. */
let serverPageData: PageData | undefined

/** CALL-85: what our server put into the page; undefined where another server sent it. */
export function readPageData(): PageData | undefined {
  if (serverPageData !== undefined) return serverPageData
  return PageData.safeParse(parseJson(document.getElementById(PAGE_DATA_ID)?.textContent ?? '')).data
}

export function setPageData(data: PageData): void {
  serverPageData = data
}

let replies: Map<string, unknown> | undefined

/** SHELL-210: until they are dropped, calls take the replies that the page was rendered with. */
export function readPageReplies(): void {
  const element = serverPageData === undefined ? document.getElementById(PAGE_REPLIES_ID) : null
  if (element !== null) replies = new Map(Object.entries(Object(parseJson(element.textContent))))
  element?.remove()
}

export function findPageReply(url: string): string | undefined {
  if (replies === undefined) return undefined
  const { origin, pathname, search } = new URL(url)
  const reply = origin === location.origin ? replies.get(pathname + search) : undefined
  return typeof reply === 'string' ? reply : undefined
}

export function dropPageReplies(): void {
  replies = undefined
}
