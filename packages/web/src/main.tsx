import '#state/back-guard.ts'
import { createRoot } from 'react-dom/client'
import { BrowserRouter } from 'react-router'
import { Providers } from '#app/providers.tsx'
import { ConsoleRoutes, preloadScreen } from '#app/router.tsx'

const container = document.getElementById('root')
if (!container) throw new Error('index.html has no element with the id "root"')
const root = createRoot(container)
// Not awaited here: the screens import modules of this file's chunk, which would wait for them.
void preloadScreen(window.location.pathname).then(() =>
  root.render(
    <Providers>
      <BrowserRouter>
        <ConsoleRoutes />
      </BrowserRouter>
    </Providers>,
  ),
)
