import { BrowserRouter } from 'react-router'
import { Providers } from './providers.tsx'
import { ConsoleRoutes } from './router.tsx'

export function App() {
  return (
    <Providers>
      <BrowserRouter>
        <ConsoleRoutes />
      </BrowserRouter>
    </Providers>
  )
}
