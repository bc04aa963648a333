import { expect, test } from 'vitest'
import { GENESIS, nextRecord } from './chain.ts'
import { maskSecrets } from './mask.ts'
import { maskMessage } from './mask-statement.ts'

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
  const line = nextRecord(
    GENESIS,
    act,
    { entity: 'setting', target: 'x', before: null, after: setting },
    new Date(0),
  )
  expect(JSON.stringify(line)).not.toContain('hunter2')
})

test.each([
  [
    'https://feed.example/v1?api_key=hunter2&symbol=BTC',
    'https://feed.example/v1?api_key=[masked]&symbol=BTC',
  ],
  ['https://feed.example/?symbol=BTC&key=hunter2#x', 'https://feed.example/?symbol=BTC&key=[masked]#x'],
])('[ADM-11] the key in %s is masked', (url, masked) => {
  expect(maskSecrets({ endpoint: url })).toEqual({ endpoint: masked })
})

test.each([
  ["ALTER ROLE desk PASSWORD 'hunter2'", "ALTER ROLE desk PASSWORD '[masked]'"],
  [
    "alter user desk with encrypted password E'hun\\'ter2'",
    "alter user desk with encrypted password '[masked]'",
  ],
  ['CREATE ROLE a PASSWORD $x$hunter2$x$ LOGIN', "CREATE ROLE a PASSWORD '[masked]' LOGIN"],
  ['ALTER ROLE desk PASSWORD "hunter2"', "ALTER ROLE desk PASSWORD '[masked]'"],
  ['ALTER ROLE desk PASSWORD hunter2;', "ALTER ROLE desk PASSWORD '[masked]';"],
  ['ALTER ROLE desk PASSWORD NULL', 'ALTER ROLE desk PASSWORD NULL'],
  [
    "-- it's new\nUPDATE users SET password = 'hunter2'",
    "-- it's new\nUPDATE users SET password = '[masked]'",
  ],
  ["SELECT 'a\\', 'b' AS password, 'hunter2'", "SELECT '[masked]', '[masked]' AS password, '[masked]'"],
  ["UPDATE users SET password = 'hunter2", "UPDATE users SET password = '[masked]'"],
  ["SELECT dblink('password=hunter2')", "SELECT dblink('[masked]')"],
  ['SELECT password FROM users', 'SELECT password FROM users'],
  ["SELECT * FROM trades WHERE symbol = 'BTC'", "SELECT * FROM trades WHERE symbol = 'BTC'"],
  ['AUTH hunter2', 'AUTH [masked]'],
  ['CONFIG SET requirepass hunter2', 'CONFIG SET requirepass [masked]'],
  ['ACL SETUSER ada on >hunter2 ~*', 'ACL SETUSER [masked]'],
  ['GET author', 'GET author'],
])('[ADM-12] %s is masked as a statement', (statement, masked) => {
  expect(maskSecrets({ statement })).toEqual({ statement: masked })
})

test('[ADM-12] a message that quotes a secret statement is masked too', () => {
  const statement = "ALTER ROLE desk PASSWORD hunter2 'x'"
  expect(maskMessage('syntax error at or near "hunter2"', statement)).toBe('syntax error at or near [masked]')
  expect(maskMessage('no such table "t"', 'SELECT * FROM t')).toBe('no such table "t"')
})
