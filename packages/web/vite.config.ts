import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

const SERVER = 'http://127.0.0.1:8000'

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react()],
  build: { manifest: true, target: 'es2023', assetsInlineLimit: 0 },
  server: {
    host: '127.0.0.1',
    port: 5173,
    proxy: { '/api': { target: SERVER, ws: true }, '/health': SERVER, '/config.json': SERVER },
  },
})
