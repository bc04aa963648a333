import { PAGE_DATA_ID, PageData } from '@binnacle/contract'
import { parseJson } from '#data/failure.ts'

/** Of the server's own rendering, which has no page. */
let given: PageData | undefined

/** CALL-85: what our server put into the page; undefined where another server sent it. */
export function readPageData(): PageData | undefined {
  if (given !== undefined) return given
  return PageData.safeParse(parseJson(document.getElementById(PAGE_DATA_ID)?.textContent ?? '')).data
}

export function givePageData(data: PageData): void {
  given = data
}
