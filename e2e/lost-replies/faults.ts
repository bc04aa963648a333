import type { Page, Route } from '@playwright/test'

export interface Fault {
  name: string
  /** Whether the server has carried the request out. */
  arrives: boolean
  /** What becomes of the request. Returns once that is decided. */
  disturb: (route: Route) => Promise<void>
  /** Lets the time pass until the console gives up. */
  wait?: (page: Page, timeoutMs: number) => Promise<void>
}

const RESET = 'connectionreset'

/** The server carries the request out; a long task is answered after 20 s. */
async function arrive(route: Route): Promise<void> {
  await route.fetch({ timeout: 60_000 })
}

/** Every way in which a reply gets lost. */
export const FAULTS: readonly Fault[] = [
  { name: 'cut before it arrives', arrives: false, disturb: (route) => route.abort(RESET) },
  {
    name: 'cut after it arrived',
    arrives: true,
    disturb: async (route) => {
      await arrive(route)
      await route.abort(RESET)
    },
  },
  {
    name: '500 with text',
    arrives: false,
    disturb: (route) => route.fulfill({ status: 500, contentType: 'text/plain', body: 'Out of memory' }),
  },
  {
    name: '502 with HTML after it arrived',
    arrives: true,
    disturb: async (route) => {
      await arrive(route)
      await route.fulfill({ status: 502, contentType: 'text/html', body: '<h1>Bad gateway</h1>' })
    },
  },
  {
    name: 'no answer in time after it arrived',
    arrives: true,
    disturb: async (route) => {
      await arrive(route)
    },
    wait: (page, timeoutMs) => page.clock.fastForward(timeoutMs),
  },
]
