/** Opens a number of streams, and prints for every line it reads how many changes they got since the line before. */

import { createInterface } from 'node:readline'

const [, , url = '', count = '0'] = process.argv
const topics = ['orders', 'fills', 'positions', 'account', 'risk', 'strategies', 'trading-state', 'quotes']
let changes = 0

const live = Array.from({ length: Number(count) }, () => {
  const socket = new WebSocket(`${url.replace(/^http/, 'ws')}/api/stream`)
  return new Promise<void>((resolve, reject) => {
    socket.onerror = () => reject(new Error('a stream was lost'))
    socket.onmessage = ({ data }) => {
      const { type } = JSON.parse(String(data))
      if (type === 'hello') socket.send(JSON.stringify({ type: 'subscribe', topics }))
      if (type === 'change') changes += 1
      if (type === 'heartbeat') resolve()
    }
  })
})
await Promise.all(live)
console.log('ready')
for await (const _ of createInterface({ input: process.stdin })) {
  console.log(changes)
  changes = 0
}
process.exit(0)
