import { readdir, readFile } from 'node:fs/promises'
import { basename } from 'node:path'
import { getHeapStatistics, type HeapInfo } from 'node:v8'
import type { Worker } from 'node:worker_threads'
import type { ChildMemory, Memory, ThreadMemory } from '@binnacle/contract'

/** Reads the memory of this process, its threads and its child processes. */
export interface MemoryReader {
  read(): Promise<Memory>
  close(): void
}

/** Follows the given thread and every one that this process starts from now on. */
export function createMemoryReader(running?: Worker): MemoryReader {
  const workers = new Set<Worker>()
  const onWorker = (worker: Worker) => {
    workers.add(worker)
    worker.once('exit', () => workers.delete(worker))
  }
  if (running) onWorker(running)
  process.on('worker', onWorker)
  return {
    async read() {
      const { rss, arrayBuffers } = process.memoryUsage()
      const others = await Promise.all([...workers].map(readThread))
      return {
        resident: rss,
        array_buffers: arrayBuffers,
        threads: [threadOf('api', 0, getHeapStatistics()), ...others.flat()],
        children: await readChildren(),
        as_of: new Date().toISOString(),
      }
    },
    close: () => void process.off('worker', onWorker),
  }
}

/** A thread that ends meanwhile is left out. */
async function readThread(worker: Worker): Promise<ThreadMemory[]> {
  const { threadId, threadName } = worker
  const heap = await worker.getHeapStatistics().catch(() => undefined)
  return heap === undefined ? [] : [threadOf(threadName ?? 'worker', threadId, heap)]
}

function threadOf(name: string, id: number, heap: HeapInfo): ThreadMemory {
  return {
    name,
    id,
    heap_used: heap.used_heap_size,
    heap_total: heap.total_heap_size,
    heap_limit: heap.heap_size_limit,
    external: heap.external_memory,
  }
}

const PAGE_BYTES = 4096

/** Linux lists child processes by the thread that started them; other systems list none. */
async function readChildren(): Promise<ChildMemory[]> {
  const tasks = await readdir('/proc/self/task').catch(() => [])
  const lists = await Promise.all(
    tasks.map((task) => readFile(`/proc/self/task/${task}/children`, 'utf8').catch(() => '')),
  )
  const pids = lists.flatMap((list) => list.split(' ').filter((pid) => pid !== ''))
  return (await Promise.all(pids.map(readChild))).flat()
}

/** A process that ends meanwhile is left out. */
async function readChild(pid: string): Promise<ChildMemory[]> {
  try {
    const command = (await readFile(`/proc/${pid}/cmdline`, 'utf8')).split('\0')
    const [, residentPages = '0'] = (await readFile(`/proc/${pid}/statm`, 'utf8')).split(' ')
    return [{ name: nameOf(command), pid: Number(pid), resident: Number(residentPages) * PAGE_BYTES }]
  } catch {
    return []
  }
}

/** The script that Node runs, else the program; arguments may be secrets. */
function nameOf([program = '', ...values]: readonly string[]): string {
  const script = values.find((value) => /\.[cm]?[jt]s$/.test(value) && !value.startsWith('-'))
  return basename(script ?? program)
}
