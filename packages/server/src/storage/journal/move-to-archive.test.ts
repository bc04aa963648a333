import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { gunzipSync } from 'node:zlib'
import { NO_SEQ, seqFrom } from '@binnacle/engine'
import { anEntry } from '@binnacle/engine/testkit'
import { temporaryFolder } from '@binnacle/stores/testkit'
import { expect, onTestFinished, test } from 'vitest'
import { allOf } from '#testkit/all-of.ts'
import { openJournalReader, openJournalStore } from './journal-store.ts'
import { moveToArchive } from './move-to-archive.ts'

/** A journal with entries 1 to 25, archived up to the given one. */
async function aJournal(archivedTo: number) {
  const folder = temporaryFolder()
  const place = { file: join(folder, 'journal.sqlite'), archiveFolder: join(folder, 'journal-archive') }
  const journal = openJournalStore(place)
  onTestFinished(() => journal.close())
  await journal.append(Array.from({ length: 25 }, (_, index) => anEntry(index + 1)))
  await moveToArchive(journal, archivedTo)
  return { place, journal }
}

async function seqsAfter(
  journal: Pick<Awaited<ReturnType<typeof aJournal>>['journal'], 'entriesAfter'>,
  after = 0,
) {
  const entries = await allOf(journal.entriesAfter(seqFrom(after)))
  return entries.map((entry) => Number(entry.seq))
}

const upTo25 = (first: number) => Array.from({ length: 26 - first }, (_, index) => first + index)

test('archived entries move from the journal to a file and are read from there', async () => {
  const { place, journal } = await aJournal(10)
  expect(readdirSync(place.archiveFolder)).toEqual(['1-10.jsonl.gz'])
  const lines = gunzipSync(readFileSync(join(place.archiveFolder, '1-10.jsonl.gz')))
    .toString()
    .split('\n')
  expect(JSON.parse(lines[0] ?? '')).toMatchObject({ format: 1, first: 1, last: 10, before: 0 })
  expect(JSON.parse(lines[10] ?? '')).toMatchObject({ seq: 10 })
  expect(journal.lines(0, 25).map((line) => line.seq)).toEqual(upTo25(11))
  expect(await seqsAfter(journal)).toEqual(upTo25(1))
  expect(await allOf(journal.entriesAfter(seqFrom(9)))).toMatchObject([
    anEntry(10),
    ...upTo25(11).map(anEntry),
  ])
})

test('[STRAT-62] a search goes from the newest entry back through the archive', async () => {
  const { place, journal } = await aJournal(5)
  await moveToArchive(journal, 15)
  const reader = openJournalReader(place)
  onTestFinished(() => reader.close())
  const seqs = async (query: { words: string; after?: number; maxEntries?: number }) =>
    (await allOf(reader.searchBack({ after: 0, maxEntries: 100, ...query }))).map((entry) =>
      Number(entry.seq),
    )
  expect(await seqs({ words: '"seq"' })).toEqual(upTo25(1).reverse())
  expect(await seqs({ words: '"seq"', after: 12 })).toEqual(upTo25(13).reverse())
  expect(await seqs({ words: '"seq"', maxEntries: 3 })).toEqual([25, 24, 23])
  expect(await seqs({ words: 'nowhere' })).toEqual([])
})

test('a read that began before archiving continues in the archive', async () => {
  const { place, journal } = await aJournal(5)
  const reader = openJournalReader(place)
  onTestFinished(() => reader.close())
  const reading = reader.entriesAfter(NO_SEQ)[Symbol.asyncIterator]()
  expect((await reading.next()).value).toEqual(anEntry(1))
  await moveToArchive(journal, 20)
  const rest: number[] = []
  for (let step = await reading.next(); !step.done; step = await reading.next()) rest.push(step.value.seq)
  expect(rest).toEqual(upTo25(2))
})

test('archiving continues after a stop between writing and deleting', async () => {
  const { place, journal } = await aJournal(0)
  const lines = journal.lines(0, 10)
  await journal.archive.write({ seq: 0, chain: 0 }, lines)
  journal.deleteUpTo(4)
  await moveToArchive(journal, 12)
  expect(readdirSync(place.archiveFolder).sort()).toEqual(['1-10.jsonl.gz', '11-12.jsonl.gz'])
  expect(await seqsAfter(journal)).toEqual(upTo25(1))
})

test('entries are not deleted if the archive file differs', async () => {
  const { journal } = await aJournal(0)
  const lines = journal.lines(0, 10).map((line) => ({ ...line, text: line.text.replace('O-', 'X-') }))
  await journal.archive.write({ seq: 0, chain: 0 }, lines)
  await expect(moveToArchive(journal, 12)).rejects.toThrow('archived entries 1 to 10')
  expect(journal.base().seq).toBe(0)
})

test('a damaged entry is not archived', async () => {
  const { place, journal } = await aJournal(0)
  const other = new DatabaseSync(place.file)
  other.exec(`UPDATE entries SET text = replace(text, 'O-7', 'O-8') WHERE seq = 7`)
  other.close()
  await expect(moveToArchive(journal, 10)).rejects.toThrow('entry 7 was altered')
  expect(readdirSync(place.archiveFolder)).toEqual([])
  expect(journal.base().seq).toBe(0)
})

test.each([
  ['a missing file', (file: string) => rmSync(file), 'entries 1 to 10 are in neither journal nor archive'],
  [
    'a truncated file',
    (file: string) => writeFileSync(file, readFileSync(file).subarray(0, 60)),
    'archived entries 1 to 10 cannot be read',
  ],
])('%s is detected and named', async (_, damage, words) => {
  const { place } = await aJournal(10)
  damage(join(place.archiveFolder, '1-10.jsonl.gz'))
  const reader = openJournalReader(place)
  onTestFinished(() => reader.close())
  await expect(seqsAfter(reader)).rejects.toThrow(words)
})

test('an archive of another journal does not chain', async () => {
  const { place, journal } = await aJournal(10)
  const other = new DatabaseSync(place.file)
  other.exec('UPDATE base SET chain = chain + 1')
  other.exec(`UPDATE entries SET chain = chain + 1 WHERE seq = 11`)
  other.close()
  await expect(seqsAfter(journal)).rejects.toThrow('entry 11 was altered')
})

test('[ORD-67] entries are found by words and time, archived ones included', async () => {
  const { place } = await aJournal(10)
  const reader = openJournalReader(place)
  onTestFinished(() => reader.close())
  const find = async (number: number, from = number, maxEntries = 100) => {
    const at = (each: number) => anEntry(each).at
    const query = { words: `"O-${number}"`, from: at(from), to: at(number), maxEntries }
    return (await allOf(reader.search(query))).map((entry) => Number(entry.seq))
  }
  for (const number of [1, 4, 10, 11, 25]) expect(await find(number)).toEqual([number])
  expect(await find(25, 3)).toEqual([25])
  expect(await find(25, 26)).toEqual([])
  expect(await find(25, 3, 5)).toEqual([])
})
