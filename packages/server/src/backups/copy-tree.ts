import { copyFile, mkdir, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { type JobControl, JobFailure } from '#jobs/job.ts'
import { filesBelow } from './durable-files.ts'

const TRIES = 5

/** Copies every file below a folder, as it was at some moment: one that changes meanwhile is copied again. */
export async function copyTree(from: string, to: string, control: JobControl): Promise<string[]> {
  const paths = await filesBelow(from)
  await mkdir(to, { recursive: true, mode: 0o700 })
  for (const [index, path] of paths.entries()) {
    control.signal.throwIfAborted()
    control.progress(index / paths.length, `Copying file ${index + 1} of ${paths.length}.`)
    await mkdir(dirname(join(to, path)), { recursive: true, mode: 0o700 })
    await copyAtRest(join(from, path), join(to, path))
  }
  return paths
}

async function copyAtRest(from: string, to: string): Promise<void> {
  for (let tried = 0; tried < TRIES; tried++) {
    const before = await markOf(from)
    await copyFile(from, to)
    if ((await markOf(from)) === before) return
  }
  throw new JobFailure(`${from} changes all the time; nothing can be copied of it.`)
}

async function markOf(file: string): Promise<string> {
  const { size, mtimeNs, ino } = await stat(file, { bigint: true })
  return `${size} ${mtimeNs} ${ino}`
}
