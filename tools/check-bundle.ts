import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { type Budgets, readBudgets } from './budgets.ts'
import { conclude, type Findings } from './findings.ts'
import { ROOT } from './launch/project.mjs'
import { siteFolder } from './launch/site.mjs'

/** One chunk of Vite's manifest; imports are keys of other chunks. */
interface Chunk {
  file: string
  css?: string[]
  imports?: string[]
  dynamicImports?: string[]
  isEntry?: boolean
  isDynamicEntry?: boolean
}

type Manifest = Record<string, Chunk>

const HOME = 'src/pages/home/home-page.tsx'
/** Loaded around every screen but home. */
const FRAME = 'src/app/shell/shell.tsx'

/** Checks the gzipped sizes of the built site, and that it loads nothing from other hosts. */
export function checkBundle(root: string): Findings {
  const folder = siteFolder(root)
  const manifest: Manifest = JSON.parse(readFileSync(join(folder, '.vite', 'manifest.json'), 'utf8'))
  const totalBytes = (files: Iterable<string>) =>
    sum([...files].map((file) => gzippedSize(join(folder, file))))
  const home = homeFiles(folder, manifest)
  const homeBytes = totalBytes(home)
  const routes = routeFiles(manifest, home).map(({ source, files }) => ({ source, bytes: totalBytes(files) }))
  return {
    wrong: [...checkWeights(homeBytes, routes, readBudgets(root)), ...foreignAddresses(folder)],
    notes: [
      `the home page's first load is ${kilobytes(homeBytes)} gzipped`,
      ...heaviest(routes).map(({ source, bytes }) => `${source} adds ${kilobytes(bytes)}`),
    ],
  }
}

interface Route {
  source: string
  bytes: number
}

function checkWeights(homeBytes: number, routes: Route[], budgets: Budgets): string[] {
  const { homeGzipBytes, routeGzipBytes, routeGzipBytesOf } = budgets
  const home = { source: 'the home page', bytes: homeBytes, limit: homeGzipBytes }
  const others = routes.map((route) => ({
    ...route,
    limit: routeGzipBytesOf[route.source] ?? routeGzipBytes,
  }))
  const strangers = Object.keys(routeGzipBytesOf).filter(
    (name) => !routes.some(({ source }) => source === name),
  )
  return [
    ...[home, ...others]
      .filter(({ bytes, limit }) => bytes > limit)
      .map(({ source, bytes, limit }) => `${source} weighs ${bytes} bytes gzipped; its budget is ${limit}.`),
    ...strangers.map((name) => `budgets.json names ${name}, which is no route of its own.`),
  ]
}

/** Everything the browser loads for the home page: the files of index.html and what they import. */
function homeFiles(folder: string, manifest: Manifest): Set<string> {
  const page = readFileSync(join(folder, 'index.html'), 'utf8')
  const named = [...page.matchAll(/<(?:script|link)\b[^>]*?\b(?:src|href)="\/?([^":]+\.(?:js|css))"/g)]
  const entries = Object.keys(manifest).filter((key) => manifest[key]?.isEntry === true || key === HOME)
  return new Set([
    ...named.map((match) => match[1] ?? ''),
    ...entries.flatMap((key) => filesOf(manifest, key)),
  ])
}

/** What each lazily loaded part adds to home, the frame and the screen it belongs to. */
function routeFiles(manifest: Manifest, home: Set<string>): { source: string; files: string[] }[] {
  const sources = Object.keys(manifest).filter(
    (key) => manifest[key]?.isDynamicEntry === true && key !== HOME,
  )
  const frame = new Set(filesOf(manifest, FRAME))
  return sources.map((source) => {
    const screen = new Set(screenFiles(manifest, source))
    const isThere = (file: string) =>
      home.has(file) || screen.has(file) || (frame.has(file) && source !== FRAME)
    return { source, files: filesOf(manifest, source).filter((file) => !isThere(file)) }
  })
}

/** A part of one screen is loaded after that screen; a part of several screens is counted in full. */
function screenFiles(manifest: Manifest, source: string): string[] {
  const loaders = Object.keys(manifest).filter((key) => manifest[key]?.dynamicImports?.includes(source))
  const [screen = ''] = loaders
  return loaders.length === 1 && manifest[screen]?.isDynamicEntry === true ? filesOf(manifest, screen) : []
}

function filesOf(manifest: Manifest, start: string): string[] {
  const seen = new Set<string>()
  const visit = (key: string) => {
    if (seen.has(key)) return
    seen.add(key)
    for (const next of manifest[key]?.imports ?? []) visit(next)
  }
  visit(start)
  return [
    ...new Set([...seen].flatMap((key) => [manifest[key]?.file ?? [], manifest[key]?.css ?? []].flat())),
  ]
}

function foreignAddresses(folder: string): string[] {
  const page = globSync('*.html', { cwd: folder }).map((file) => ({
    file,
    pattern: /\b(?:src|href)="((?:https?:)?\/\/[^"]+)/g,
  }))
  const styles = globSync('**/*.css', { cwd: folder }).map((file) => ({
    file,
    pattern: /(?:url\(|@import )\s*["']?((?:https?:)?\/\/[^"')]+)/g,
  }))
  return [...page, ...styles].flatMap(({ file, pattern }) =>
    [...readFileSync(join(folder, file), 'utf8').matchAll(pattern)].map(
      (match) => `${file} loads ${match[1]}: the site loads nothing from another host.`,
    ),
  )
}

function heaviest(routes: Route[]): Route[] {
  return routes.toSorted((a, b) => b.bytes - a.bytes).slice(0, 3)
}

function gzippedSize(file: string): number {
  return gzipSync(readFileSync(file)).length
}

function sum(numbers: number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}

function kilobytes(bytes: number): string {
  return `${(bytes / 1000).toFixed(1)} kB`
}

if (import.meta.main) conclude('bundle', checkBundle(ROOT))
