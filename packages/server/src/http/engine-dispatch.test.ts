import { IncomingMessage } from 'node:http'
import { Socket } from 'node:net'
import { expect, test } from 'vitest'
import { dispatchByEngine, type NamedEngine } from './engine-dispatch.ts'
import { Refused } from './problems.ts'

const unreachable = new Refused('engine.unreachable', 'It is gone.')

test.each([
  ['/api/orders', '', 'header.binnacle-engine', 'is empty; name an engine, or leave it out'],
  ['/api/stream', '', 'header.binnacle-engine', 'is empty; name an engine, or leave it out'],
  ['/api/stream?engine=', undefined, 'query.engine', 'is empty; name an engine, or leave it out'],
  ['/api/stream?engine=a&engine=a', undefined, 'query.engine', 'is given more than once; name one engine'],
  ['/api/stream?engine=a&engine=b', 'a', 'query.engine', 'is given more than once; name one engine'],
])('[ENGS-48] %s with the header %j names no engine and is refused', (url, header, field, message) => {
  expect(chosenBy(url, header)).toEqual({
    refused: new Refused('request.invalid', `${field} ${message}.`, [{ field, message }]),
    asked: [],
  })
})

test('[ENGS-49] a stream whose header and address name two engines is refused', () => {
  const message = 'differs from the header Binnacle-Engine; name one engine'
  expect(chosenBy('/api/stream?engine=a', 'b').refused).toMatchObject({
    code: 'request.invalid',
    errors: [{ field: 'query.engine', message }],
  })
  expect(chosenBy('/api/stream?engine=a', 'a').asked).toEqual([{ name: 'a', field: 'query.engine' }])
  expect(chosenBy('/api/stream', 'b').asked).toEqual([{ name: 'b', field: 'header.binnacle-engine' }])
})

test.each(['/health', '/api/health', '/api/engines', '/api/engines?a=b'])(
  '[ENGS-50] %s is the same for every engine',
  (url) => {
    expect(chosenBy(url, 'gone')).toEqual({ refused: undefined, asked: [] })
    expect(chosenBy(url, '')).toEqual({ refused: undefined, asked: [] })
  },
)

/** What a call is refused with, and the engines that were asked for. */
function chosenBy(url: string, header?: string) {
  const request = new IncomingMessage(new Socket())
  request.url = url
  if (header !== undefined) request.headers['binnacle-engine'] = header
  const asked: NamedEngine[] = []
  const choose = dispatchByEngine((named) => {
    asked.push(named)
    return named.name === 'gone' ? unreachable : 'listener'
  })
  const chosen = choose(request)
  return { refused: chosen instanceof Refused ? chosen : undefined, asked }
}
