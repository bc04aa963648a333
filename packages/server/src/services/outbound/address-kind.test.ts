import { expect, test } from 'vitest'
import { classifyAddress } from './address-kind.ts'

test.each(['127.0.0.1', '127.255.255.254', '::1', '::ffff:127.0.0.1', '::ffff:7f00:1'])(
  '%s is loopback',
  (address) => expect(classifyAddress(address)).toBe('loopback'),
)

test.each([
  '169.254.169.254',
  '169.254.0.1',
  '::ffff:169.254.169.254',
  '::ffff:a9fe:a9fe',
  'fe80::1',
  'febf::1',
  'fe80::1%eth0',
  '0.0.0.0',
  '0.1.2.3',
  '::',
  '::a9fe:a9fe',
  '64:ff9b::169.254.169.254',
  '2002:a9fe:a9fe::1',
  'fd00:ec2::254',
  'fd20:ce::254',
  '100.100.100.200',
  '168.63.129.16',
  '224.0.0.1',
  '255.255.255.255',
  'ff02::1',
  'localhost',
  '',
])("'%s' is never called", (address) => expect(classifyAddress(address)).toBe('forbidden'))

test.each(['10.0.0.1', '192.168.1.1', '93.184.216.34', '2606:2800::1', 'fd12::1', '::ffff:10.0.0.1'])(
  '%s is called only if its name is allowed',
  (address) => expect(classifyAddress(address)).toBe('other'),
)
