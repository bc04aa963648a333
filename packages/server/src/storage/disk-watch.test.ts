import { temporaryFolder } from '@binnacle/stores/testkit'
import { expect, test } from 'vitest'
import { withDiskWatch } from './disk-watch.ts'

const NEARLY_FULL =
  'The disk is nearly full, so this was stopped before trading had to stop. Free some space and try again.'

const quietControl = (signal = new AbortController().signal) => ({
  signal,
  progress: () => {},
  log: () => {},
})

const untilAborted = ({ signal }: { signal: AbortSignal }) =>
  new Promise<never>((_, reject) =>
    signal.addEventListener('abort', () => reject(new Error('the copy was interrupted'))),
  )

test('[BACKUP-302] work is not begun on a disk that is nearly full', async () => {
  let begun = 0
  const work = async () => {
    begun += 1
  }
  const folder = temporaryFolder()
  const watched = withDiskWatch({ folder, freeSpace: async () => 63_000_000 }, quietControl(), work)
  await expect(watched).rejects.toThrow(NEARLY_FULL)
  expect(begun).toBe(0)
  await withDiskWatch({ folder, freeSpace: async () => undefined }, quietControl(), work)
  expect(begun).toBe(1)
})

test('[BACKUP-302] work is stopped when the disk becomes nearly full, with that as its reason', async () => {
  let free = 1e12
  const options = { folder: temporaryFolder(), freeSpace: async () => free, everyMs: 1 }
  const watched = withDiskWatch(options, quietControl(), (control) => {
    free = 63_000_000
    return untilAborted(control)
  })
  await expect(watched).rejects.toThrow(NEARLY_FULL)
})

test('[BACKUP-302] work that a person cancels ends with its own reason', async () => {
  const cancel = new AbortController()
  const options = { folder: temporaryFolder(), freeSpace: async () => 1e12 }
  const watched = withDiskWatch(options, quietControl(cancel.signal), untilAborted)
  // The work begins after the first look at the disk.
  setImmediate(() => cancel.abort())
  await expect(watched).rejects.toThrow('the copy was interrupted')
})
