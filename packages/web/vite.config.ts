import { resolve } from 'node:path'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'
import { screenFiles } from './src/screen-files.ts'

const SERVER = 'http://127.0.0.1:8000'
const REPOSITORY = resolve(import.meta.dirname, '../..')

/** SHELL-43: which files and calls the page of a screen names. */
const screens: Plugin = {
  name: 'screens',
  generateBundle() {
    this.emitFile({ type: 'asset', fileName: '.vite/screens.json', source: JSON.stringify(screenFiles) })
  },
}

/**
 * Every file costs a request and a module to link, also when it holds one icon. A group takes the modules it names and
 * what they import, unless a group of higher priority has taken it.
 */
const groups = [
  { name: 'main', test: /web.src.main\.tsx$/, priority: 4 },
  {
    name: 'frame',
    test: /web.src.(app.(data-provider|live-stream|shell.(header|rail|[a-z]+-bar|console-toaster|job-list|use-palette))|ui.state.loading)\.tsx$/,
    priority: 3,
  },
  { name: 'parts', test: /web.src.(ui|format|state|ports)|node_modules/, minShareCount: 7, priority: 2 },
]

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), screens],
  // The documentation screen shows the repository's own texts, so that there is one of each.
  resolve: { alias: { '@repository': REPOSITORY } },
  build: {
    manifest: true,
    target: 'es2023',
    assetsInlineLimit: 0,
    rolldownOptions: { output: { codeSplitting: { groups } } },
  },
  server: {
    host: '127.0.0.1',
    port: 5173,
    proxy: { '/api': { target: SERVER, ws: true }, '/health': SERVER, '/config.json': SERVER },
  },
})
