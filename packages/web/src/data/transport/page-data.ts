import { PAGE_DATA_ID, PageData } from '@binnacle/contract'
import { parseJson } from '#data/failure.ts'

/** CALL-85: what our server put into the page; undefined where another server sent it. */
export function readPageData(): PageData | undefined {
  return PageData.safeParse(parseJson(document.getElementById(PAGE_DATA_ID)?.textContent ?? '')).data
}
