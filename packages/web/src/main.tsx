import '#state/back-guard.ts'
import { useLayoutEffect } from 'react'
import { createRoot } from 'react-dom/client'
import { BrowserRouter } from 'react-router'
import { Providers } from '#app/providers.tsx'
import { ConsoleRoutes, preloadScreen } from '#app/router.tsx'

const container = document.getElementById('root')
if (!container) throw new Error('index.html has no element with the id "root"')
const root = createRoot(container)
/** SHELL-171: in the commit that replaces what the server rendered. */
function Started() {
  useLayoutEffect(() => {
    container?.removeAttribute('inert')
    container?.removeAttribute('aria-hidden')
  }, [])
  return null
}

// Not awaited here: the screens import modules of this file's chunk, which would wait for them.
void preloadScreen(window.location.pathname).then(() =>
  root.render(
    <Providers>
      <BrowserRouter>
        <ConsoleRoutes />
      </BrowserRouter>
      <Started />
    </Providers>,
  ),
)
