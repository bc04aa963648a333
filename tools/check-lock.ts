import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { conclude, type Findings } from './findings.ts'
import { ROOT } from './launch/project.mjs'

interface LockedPackage {
  resolved?: string
  integrity?: string
  link?: boolean
  os?: string | string[]
  cpu?: string | string[]
  libc?: string | string[]
  optionalDependencies?: Record<string, string>
}

type Lock = Record<string, LockedPackage>

interface Platform {
  os: string
  cpu: string
}

/** Platforms on which `npm ci` must work, independent of the machine that wrote the lock file. */
const PLATFORMS: readonly Platform[] = [
  { os: 'linux', cpu: 'x64' },
  { os: 'linux', cpu: 'arm64' },
  { os: 'darwin', cpu: 'arm64' },
  { os: 'darwin', cpu: 'x64' },
  { os: 'win32', cpu: 'x64' },
]

/** Tools known to have one binary per platform. The check fails if it finds none of them. */
const KNOWN_FAMILIES = [
  '',
  'node_modules/@biomejs/biome',
  'node_modules/rolldown',
  'node_modules/lightningcss',
]

export function checkLock(root: string): Findings {
  const lock: Lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')).packages
  const families = Object.entries(lock).filter(([, entry]) => binariesOf(lock, entry).length >= 3)
  const unseen = KNOWN_FAMILIES.filter((known) => !families.some(([path]) => path === known))
  return {
    wrong: [
      ...Object.entries(lock).flatMap(([path, entry]) => [
        ...checkAddress(path, entry),
        ...checkIntegrity(path, entry),
      ]),
      ...unseen.map((path) => `package-lock.json lists no binaries of ${nameOf(path)}.`),
      ...families.flatMap(([path, entry]) => checkPlatforms(nameOf(path), binariesOf(lock, entry))),
    ],
    notes: [`${Object.keys(lock).length} packages, ${families.length} with a binary for each platform`],
  }
}

function checkAddress(path: string, { resolved = '' }: LockedPackage): string[] {
  if (!/[:@]/.test(resolved)) return []
  return [`package-lock.json holds an address for ${path}: remove its 'resolved'.`]
}

function checkIntegrity(path: string, { integrity, link }: LockedPackage): string[] {
  if (!path.includes('node_modules/') || link === true || integrity !== undefined) return []
  return [`package-lock.json has no integrity hash for ${path}.`]
}

function checkPlatforms(name: string, binaries: LockedPackage[]): string[] {
  return PLATFORMS.filter((platform) => !binaries.some((binary) => runsOn(binary, platform))).map(
    ({ os, cpu }) => `package-lock.json lacks the binary of ${name} for ${os} on ${cpu}.`,
  )
}

function binariesOf(lock: Lock, { optionalDependencies = {} }: LockedPackage): LockedPackage[] {
  return Object.keys(optionalDependencies)
    .flatMap((name) => lock[`node_modules/${name}`] ?? [])
    .filter(({ os, cpu }) => os !== undefined && cpu !== undefined)
}

function runsOn({ os, cpu, libc }: LockedPackage, platform: Platform): boolean {
  const isCommonLibc = libc === undefined || [libc].flat().includes('glibc')
  return [os].flat().includes(platform.os) && [cpu].flat().includes(platform.cpu) && isCommonLibc
}

function nameOf(path: string): string {
  return path === '' ? 'Node' : path.replace(/^.*node_modules\//, '')
}

if (import.meta.main) conclude('lock', checkLock(ROOT))
