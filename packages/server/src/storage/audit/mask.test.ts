import { expect, test } from 'vitest'
import { appendRecord, GENESIS } from './chain.ts'
import { maskSecrets } from './mask.ts'

test.each([
  ['smtp_password'],
  ['SMTP.Passwd'],
  ['db_pwd'],
  ['client-secret'],
  ['slack_token'],
  ['api_key'],
  ['apiKey'],
  ['private key'],
  ['Authorization'],
  ['cookie'],
  ['aws_credentials'],
])('%s is masked, as a field and as a setting', (name) => {
  expect(maskSecrets({ [name]: 'hunter2' })).toEqual({ [name]: '[masked]' })
  expect(maskSecrets({ key: name, value: 'hunter2', category: 'general' })).toEqual({
    key: name,
    value: '[masked]',
    category: 'general',
  })
})

test.each([['session_timeout'], ['cache_ttl'], ['keyboard'], ['system_name'], ['compass']])(
  '%s is not masked',
  (name) => {
    expect(maskSecrets({ key: name, value: '30' })).toEqual({ key: name, value: '30' })
  },
)

test('secrets are masked at every depth, empty ones stay visible', () => {
  const route = { parameters: { headers: [{ Authorization: 'Bearer x' }], body: { token: null, pwd: '' } } }
  expect(maskSecrets(route)).toEqual({
    parameters: { headers: [{ Authorization: '[masked]' }], body: { token: null, pwd: '' } },
  })
})

test('a secret that is an object is masked as a whole', () => {
  expect(maskSecrets({ credentials: { user: 'a', pass: 'b' } })).toEqual({ credentials: '[masked]' })
})

test.each([
  ['postgres://desk:hunter2@db.example/desk', 'postgres://desk:[masked]@db.example/desk'],
  ['redis://:hunter2@127.0.0.1', 'redis://:[masked]@127.0.0.1'],
  ['https://desk:hun@ter:2@db.example', 'https://desk:[masked]@db.example'],
  ['http://localhost:8000/a@b', 'http://localhost:8000/a@b'],
])('the password in %s is masked', (url, masked) => {
  expect(maskSecrets({ endpoint: url })).toEqual({ endpoint: masked })
})

test('a record is masked before it is hashed', () => {
  const act = { actor: 'local', role: 'admin', address: null, action: 'settings.add', requestId: null }
  const setting = { key: 'smtp_password', value: 'hunter2' }
  const line = appendRecord(
    GENESIS,
    act,
    { entity: 'setting', target: 'x', before: null, after: setting },
    new Date(0),
  )
  expect(JSON.stringify(line)).not.toContain('hunter2')
})
