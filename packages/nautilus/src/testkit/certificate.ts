import { generateKeyPairSync, sign } from 'node:crypto'

/** A certificate for `localhost` that signs itself, and its key, both as PEM. No key is stored anywhere. */
export function createCertificate(): { readonly certificate: string; readonly key: string } {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const ecdsaWithSha256 = sequence(oid('1.2.840.10045.4.3.2'))
  const name = sequence(set(sequence(oid('2.5.4.3'), der(0x0c, Buffer.from('localhost')))))
  const localhost = sequence(der(0x82, Buffer.from('localhost')))
  const extensions = sequence(
    sequence(oid('2.5.29.17'), der(0x04, localhost)),
    // It is its own authority.
    sequence(oid('2.5.29.19'), der(0x04, sequence(der(0x01, Buffer.from([0xff]))))),
  )
  const content = sequence(
    der(0xa0, der(0x02, Buffer.from([2]))),
    der(0x02, Buffer.from([1])),
    ecdsaWithSha256,
    name,
    sequence(time('20200101000000Z'), time('20990101000000Z')),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, extensions),
  )
  const signature = Buffer.concat([Buffer.from([0]), sign('sha256', content, privateKey)])
  const certificate = sequence(content, ecdsaWithSha256, der(0x03, signature)).toString('base64')
  return {
    certificate: `-----BEGIN CERTIFICATE-----\n${certificate.replace(/.{64}/g, '$&\n')}\n-----END CERTIFICATE-----\n`,
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  }
}

function der(tag: number, content: Buffer): Buffer {
  const { length } = content
  const size = length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 0xff]
  return Buffer.concat([Buffer.from([tag, ...size]), content])
}

function sequence(...parts: Buffer[]): Buffer {
  return der(0x30, Buffer.concat(parts))
}

function set(part: Buffer): Buffer {
  return der(0x31, part)
}

function time(text: string): Buffer {
  return der(0x18, Buffer.from(text))
}

function oid(text: string): Buffer {
  const [first = 0, second = 0, ...rest] = text.split('.').map(Number)
  const bytes = rest.flatMap((part) => {
    const digits = [part & 0x7f]
    for (let left = part >> 7; left > 0; left >>= 7) digits.unshift((left & 0x7f) | 0x80)
    return digits
  })
  return der(0x06, Buffer.from([first * 40 + second, ...bytes]))
}
