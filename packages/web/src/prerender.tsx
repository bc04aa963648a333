import type { PageData } from '@binnacle/contract'
import { renderToString } from 'react-dom/server'
import { StaticRouter } from 'react-router'
import { Providers } from '#app/providers.tsx'
import { ConsoleRoutes, preloadScreen, screens } from '#app/router.tsx'
import { setPageData } from '#data/transport/page-data.ts'
import { paths } from '#paths.ts'

/**
 * Loads the code of every screen and renders one: the first rendering takes ten times as long as later ones, and the page
 * that waits for it would be sent without.
 */
export async function warmUp(pageData: PageData): Promise<void> {
  for (const [, Screen] of screens) await Screen.load()
  await prerender(`http://localhost${paths.trader}`, pageData)
}

/**
 * Renders the screen at an address as main.tsx first does, with the replies of `fetch`, for the page that carries this data
 * (0021). One address at a time: the replies of a screen pass through a variable of its shell.
 */
export async function prerender(address: string, pageData: PageData): Promise<string> {
  const url = new URL(address)
  Object.assign(globalThis, { location: url })
  setPageData(pageData)
  await preloadScreen(url.pathname)
  return renderToString(
    <Providers>
      <StaticRouter location={url.pathname + url.search}>
        <ConsoleRoutes />
      </StaticRouter>
    </Providers>,
  )
}
