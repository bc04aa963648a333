import { globSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type ts from 'typescript'
import { conclude, type Findings } from './findings.ts'
import { ROOT } from './launch/project.mjs'
import { parse } from './source/syntax.ts'
import { isTest, sourceFiles } from './source/tree.ts'
import { BANNED_WORDS, bannedInName, bannedInText, STORED_NAMES } from './words/banned.ts'
import { declaredNames, writtenTexts } from './words/places.ts'

/** Documents for users and engineers. */
const DOCUMENTS = [
  '*.md',
  'docs/*.md',
  'docs/guide/*.md',
  'docs/decisions/*.md',
  '{packages/*,tools,bench,e2e}/README.md',
]

export interface Finding {
  word: string
  kind: 'name' | 'text'
  at: string
  found: string
}

/** Fails on the banned words of vocabulary.md, in names and in texts for people. */
export function checkWords(root: string, inSources = readSources(root)): Findings {
  const findings = findWords(root, inSources)
  return {
    wrong: findings.map(
      ({ at, word, kind, found }) => `${at} ${kind} '${found}' uses the banned word '${word}'.`,
    ),
    notes: [`${findings.length} banned words in names and texts`],
  }
}

export function readSources(root: string, storedNames = STORED_NAMES): Finding[] {
  return sourceFiles(root).flatMap((path) => inSource(parse(root, path), storedNames))
}

function findWords(root: string, inSources = readSources(root)): Finding[] {
  return [
    ...sourceFiles(root).flatMap(inFileName),
    ...inSources,
    ...globSync(DOCUMENTS, { cwd: root }).flatMap((path) => inDocument(root, path)),
  ]
}

function inFileName(path: string): Finding[] {
  const name = path.split('/').at(-1)?.split('.')[0] ?? ''
  return bannedInName(name, false).map((word) => ({ word, kind: 'name', at: path, found: name }))
}

export function inSource(file: ts.SourceFile, storedNames: readonly string[] = STORED_NAMES): Finding[] {
  const path = file.fileName
  const names = declaredNames(file).flatMap(({ name, isType, line }) =>
    bannedInName(name, isType).map(
      (word): Finding => ({ word, kind: 'name', at: `${path}:${line}`, found: name }),
    ),
  )
  const texts = isForPeople(path) ? writtenTexts(file) : []
  return [
    ...names,
    ...texts.flatMap(({ text, line }) =>
      bannedInText(text).map(
        (word): Finding => ({ word, kind: 'text', at: `${path}:${line}`, found: shorten(text) }),
      ),
    ),
  ].filter(({ found }) => !storedNames.includes(found))
}

function inDocument(root: string, path: string): Finding[] {
  const lines = readFileSync(join(root, path), 'utf8').split('\n')
  return lines.flatMap((text, index) => {
    // A phrase may be broken over two lines.
    const next = lines[index + 1] ?? ''
    const isBroken = (word: string) => word.includes(' ') && !bannedInText(next).includes(word)
    const words = new Set([...bannedInText(text), ...bannedInText(`${text} ${next}`).filter(isBroken)])
    return [...words].map(
      (word): Finding => ({ word, kind: 'text', at: `${path}:${index + 1}`, found: shorten(text) }),
    )
  })
}

/** Texts of tests and of the tools are read by engineers only; their names are checked all the same. */
function isForPeople(path: string): boolean {
  return /^packages\/[^/]+\/src\//.test(path) && !isTest(path) && !path.includes('/testkit/')
}

function shorten(text: string): string {
  const line = text.trim().replace(/\s+/g, ' ')
  return line.length > 80 ? `${line.slice(0, 79)}…` : line
}

function printCounts(findings: Finding[]): void {
  for (const { word } of BANNED_WORDS) {
    const own = findings.filter((finding) => finding.word === word)
    const names = own.filter(({ kind }) => kind === 'name').length
    console.log(
      `${word.padEnd(14)} ${String(names).padStart(5)} names ${String(own.length - names).padStart(5)} texts`,
    )
  }
  console.log(`${'all'.padEnd(14)} ${String(findings.length).padStart(5)}`)
}

if (import.meta.main) {
  const folder = process.argv.slice(2).find((argument) => !argument.startsWith('--'))
  const root = folder === undefined ? ROOT : resolve(folder)
  if (process.argv.includes('--counts')) printCounts(findWords(root))
  else conclude('words', checkWords(root))
}
