import { resolve } from 'node:path'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'
import { screenFiles } from './src/screen-files.ts'

const SERVER = 'http://127.0.0.1:8000'
const REPOSITORY = resolve(import.meta.dirname, '../..')

/** SHELL-43: which files and calls the page of a screen names. */
const screens: Plugin = {
  name: 'screens',
  applyToEnvironment: isForBrowsers,
  generateBundle() {
    this.emitFile({ type: 'asset', fileName: '.vite/screens.json', source: JSON.stringify(screenFiles) })
  },
}

/**
 * V8 compiles all functions of a file that begins so while it loads, beside the main thread, instead of each when it is
 * first called. Only for the files a screen begins with: of the others too few functions are called.
 */
const COMPILE_AT_ONCE = '//# allFunctionsCalledOnLoad\n'
const FIRST_FILES = /^(main|frame|parts|shell|.+-page)$/

const compileAtOnce: Plugin = {
  name: 'compile-at-once',
  // After Vite's own plugins, which put their code before that of a file.
  enforce: 'post',
  applyToEnvironment: isForBrowsers,
  generateBundle: {
    order: 'post',
    handler(_, bundle) {
      for (const file of Object.values(bundle)) {
        if (file.type === 'chunk' && FIRST_FILES.test(file.name)) file.code = COMPILE_AT_ONCE + file.code
      }
    },
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
    test: /web.src.(app.(data-provider|live-stream|shell.(header|rail|[a-z]+-bar|alert-notifier|console-toaster|job-list|use-palette))|ui.(state.loading|control.when-idle))\.tsx?$/,
    priority: 3,
  },
  { name: 'parts', test: /web.src.(ui|format|state|ports)|node_modules/, minShareCount: 7, priority: 2 },
]

function isForBrowsers({ name }: { name: string }): boolean {
  return name === 'client'
}

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), screens, compileAtOnce],
  // The documentation screen shows the repository's own texts, so that there is one of each.
  resolve: { alias: { '@repository': REPOSITORY } },
  build: { target: 'es2023', assetsInlineLimit: 0 },
  builder: {
    async buildApp({ build, environments: { client, ssr } }) {
      // The first one empties the folder.
      if (client) await build(client)
      if (ssr) await build(ssr)
    },
  },
  environments: {
    client: {
      build: { manifest: true, rolldownOptions: { output: { codeSplitting: { groups } } } },
    },
    // 0021: what the server renders pages with. It is not served, and needs no packages beside it.
    ssr: {
      define: { 'process.env.NODE_ENV': '"production"' },
      resolve: { noExternal: true },
      build: {
        outDir: 'dist/.vite/prerender',
        copyPublicDir: false,
        minify: true,
        rolldownOptions: { input: 'src/prerender.tsx' },
      },
    },
  },
  server: {
    host: '127.0.0.1',
    port: 5173,
    proxy: { '/api': { target: SERVER, ws: true }, '/health': SERVER, '/config.json': SERVER },
  },
})
