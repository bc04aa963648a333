import { copyFileSync, fstatSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setImmediate } from 'node:timers/promises'
import { type JournalEntry, NO_SEQ, seq } from '@binnacle/engine'
import { anEntry, JOURNAL_CASES } from '@binnacle/engine/testkit'
import { temporaryFolder } from '@binnacle/stores/testkit'
import { describe, expect, onTestFinished, test } from 'vitest'
import { allOf } from '#testkit/all-of.ts'
import { type JournalLocation, openJournalReader, openJournalStore } from './journal-store.ts'

function newJournal() {
  const folder = temporaryFolder()
  const place = { file: join(folder, 'journal.sqlite'), archiveFolder: join(folder, 'journal-archive') }
  return { place, journal: opened(place) }
}

function opened(place: JournalLocation) {
  const journal = openJournalStore(place)
  onTestFinished(() => journal.close())
  return journal
}

/** Changes the file behind the store. */
function tamper({ file }: JournalLocation, sql: string): void {
  const database = new DatabaseSync(file)
  database.exec(sql)
  database.close()
}

async function readAll(place: JournalLocation, after = NO_SEQ): Promise<JournalEntry[]> {
  return allOf(opened(place).entriesAfter(after))
}

describe('the journal on disk', () => {
  test.each(JOURNAL_CASES)('$title', async ({ run }) => {
    await run(async () => newJournal().journal)
  })

  test('appended entries are there after reopening', async () => {
    const { place, journal } = newJournal()
    await journal.append([anEntry(1), anEntry(2)])
    expect((await readAll(place)).map((entry) => entry.seq)).toEqual([1, 2])
  })

  test.each([
    [
      'an altered entry',
      `UPDATE entries SET text = replace(text, 'O-2', 'O-9') WHERE seq = 2`,
      'entry 2 was altered',
    ],
    ['a removed entry', 'DELETE FROM entries WHERE seq = 2', 'expected entry 2, found 3'],
    ['a cut-off end', 'DELETE FROM entries WHERE seq = 3', 'entries 3 to 3 are missing'],
    [
      'two entries swapped',
      'UPDATE entries SET text = (SELECT text FROM entries AS other WHERE other.seq = 5 - entries.seq) WHERE seq IN (2, 3)',
      'entry 2 was altered',
    ],
    ['a head that was moved back', 'UPDATE head SET seq = 2', 'entry 2 is not the one the head names'],
  ])('%s is detected and named', async (_, sql, words) => {
    const { place, journal } = newJournal()
    await journal.append([anEntry(1), anEntry(2), anEntry(3)])
    tamper(place, sql)
    await expect(readAll(place)).rejects.toThrow(words)
  })

  test('a damaged snapshot is skipped for the one before it', async () => {
    const { place, journal } = newJournal()
    await journal.saveSnapshot({ seq: seq(1), text: 'one' })
    await journal.saveSnapshot({ seq: seq(2), text: 'two' })
    tamper(place, `UPDATE snapshots SET text = 'tw0' WHERE seq = 2`)
    expect(await opened(place).latestSnapshot()).toEqual({ seq: 1, text: 'one' })
  })

  test('a reader sees entries that the writer appends', async () => {
    const { place, journal } = newJournal()
    await journal.append([anEntry(1)])
    const reader = openJournalReader(place)
    onTestFinished(() => reader.close())
    await journal.append([anEntry(2)])
    const entries = await allOf(reader.entriesAfter(seq(1)))
    expect(entries.map((entry) => entry.seq)).toEqual([2])
  })

  test('reading after a missing entry is a fault', async () => {
    const { place, journal } = newJournal()
    await journal.append([anEntry(1), anEntry(2), anEntry(3)])
    await expect(readAll(place, seq(4))).rejects.toThrow('it ends with entry 3, before entry 4')
    tamper(place, 'DELETE FROM entries WHERE seq = 1')
    await expect(readAll(place, seq(1))).rejects.toThrow('entry 1 is missing')
  })

  test('verify reads entries before a snapshot too', async () => {
    const { place, journal } = newJournal()
    await journal.append([anEntry(1), anEntry(2), anEntry(3)])
    await journal.verify(seq(3))
    tamper(place, `UPDATE entries SET text = replace(text, 'O-1', 'O-9') WHERE seq = 1`)
    await expect(opened(place).verify(seq(3))).rejects.toThrow('entry 1 was altered')
  })
})

test('a closed journal is checkpointed into its file, even if a reader still has it open', async () => {
  const folder = temporaryFolder()
  const place = { file: join(folder, 'journal.sqlite'), archiveFolder: join(folder, 'journal-archive') }
  const journal = openJournalStore(place)
  await journal.append([anEntry(1), anEntry(2)])
  const reader = openJournalReader(place)
  onTestFinished(() => reader.close())
  expect(await allOf(reader.entriesAfter(NO_SEQ))).toHaveLength(2)
  expect(statSync(`${place.file}-wal`).size).toBeGreaterThan(0)
  journal.close()
  expect(statSync(`${place.file}-wal`).size).toBe(0)
  expect(await allOf(reader.entriesAfter(NO_SEQ))).toHaveLength(2)
})

describe('the sync of an append', () => {
  function journalWith(sync: (handle: number) => Promise<void>) {
    const folder = temporaryFolder()
    const place = { file: join(folder, 'journal.sqlite'), archiveFolder: join(folder, 'journal-archive') }
    const journal = openJournalStore(place, sync)
    onTestFinished(() => journal.close())
    return { place, journal }
  }

  test('[ENGINE-340] an append resolves when its log is on disk, and the thread is free until then', async () => {
    const disk = Promise.withResolvers<void>()
    let logSize = 0
    const { place, journal } = journalWith((handle) => {
      logSize = fstatSync(handle).size
      expect(fstatSync(handle).ino).toBe(statSync(`${place.file}-wal`).ino)
      return disk.promise
    })
    const append = journal.append([anEntry(1)]).then(() => 'on disk')
    expect(await Promise.race([append, setImmediate('not yet')])).toBe('not yet')
    expect(logSize).toBeGreaterThan(0)
    disk.resolve()
    expect(await append).toBe('on disk')
  })

  test('[ENGINE-341] after a sync that failed the entries are read once they were written again', async () => {
    let isFailing = true
    const { place, journal } = journalWith(async () => {
      if (isFailing) throw new Error('EIO: i/o error, fdatasync')
    })
    await expect(journal.append([anEntry(1)])).rejects.toThrow('EIO')
    isFailing = false
    expect(await allOf(journal.entriesAfter(NO_SEQ))).toEqual([anEntry(1)])
    // Without its log: the pages of the log may be lost.
    const copy = { ...place, file: `${place.file}.copy` }
    copyFileSync(place.file, copy.file)
    expect(await readAll(copy)).toEqual([anEntry(1)])
    await journal.append([anEntry(2)])
    expect(await readAll(place)).toEqual([anEntry(1), anEntry(2)])
  })

  test('[ENGINE-500] after a sync that failed nothing is appended behind the pages that it may have lost', async () => {
    let isFailing = true
    const { place, journal } = journalWith(async () => {
      if (isFailing) throw new Error('EIO: i/o error, fdatasync')
    })
    await expect(journal.append([anEntry(1)])).rejects.toThrow('EIO')
    isFailing = false
    // It reads the latest entry, so that the log cannot begin again.
    const reader = new DatabaseSync(place.file, { readOnly: true })
    onTestFinished(() => reader.close())
    reader.exec('BEGIN; SELECT * FROM entries')
    await expect(journal.append([anEntry(2)])).rejects.toThrow('while it is being read')
    reader.exec('COMMIT')
    await journal.append([anEntry(2)])
    expect(await readAll(place)).toEqual([anEntry(1), anEntry(2)])
  })

  test('[ENGINE-501] what a run that was killed during a sync has left is on disk before it is read', async () => {
    const { place, journal } = journalWith(() => new Promise(() => {}))
    void journal.append([anEntry(1)])
    expect(await readAll(place)).toEqual([anEntry(1)])
    // Without the log, which nobody has synced.
    const copy = { ...place, file: `${place.file}.copy` }
    copyFileSync(place.file, copy.file)
    expect(await readAll(copy)).toEqual([anEntry(1)])
  })

  test('[ENGINE-342] an append that was rolled back leaves the head where it was', async () => {
    const { place, journal } = newJournal()
    await journal.append([anEntry(1)])
    await expect(journal.append([anEntry(3)])).rejects.toThrow('expected entry 2, found 3')
    await journal.append([anEntry(2)])
    expect(await readAll(place)).toEqual([anEntry(1), anEntry(2)])
  })
})
