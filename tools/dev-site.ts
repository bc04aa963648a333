import { createServer } from 'vite'

/** The site with hot reload; API requests go to the server. */
const target = `http://localhost:${process.env.BINNACLE_TRADING_PORT ?? '8000'}`
// The server accepts requests of its own origin only, but the page comes from Vite's.
const toServer = { target, changeOrigin: true, ws: true, headers: { origin: target } }

const site = await createServer({
  root: 'packages/web',
  server: { proxy: { '/api': toServer, '/config.json': toServer, '/health': toServer } },
})
await site.listen()
site.printUrls()
