import { resolve } from 'node:path'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

const SERVER = 'http://127.0.0.1:8000'
const REPOSITORY = resolve(import.meta.dirname, '../..')

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react()],
  // The documentation screen shows the repository's own texts, so that there is one of each.
  resolve: { alias: { '@repository': REPOSITORY } },
  build: { manifest: true, target: 'es2023', assetsInlineLimit: 0 },
  server: {
    host: '127.0.0.1',
    port: 5173,
    proxy: { '/api': { target: SERVER, ws: true }, '/health': SERVER, '/config.json': SERVER },
  },
})
