import { once } from 'node:events'
import { createServer, connect, type AddressInfo, type Socket } from 'node:net'
import { expect, test } from 'vitest'
import { ConfigError } from '../errors.ts'
import { createAddressGuard, readOutboundPolicy } from './address-guard.ts'
import { createOutbound, OutboundRefused } from './outbound.ts'

const any = createAddressGuard({ kind: 'any' })

test.each([
  '169.254.169.254',
  '169.254.0.1',
  '::ffff:169.254.169.254',
  '[::ffff:a9fe:a9fe]',
  '64:ff9b::169.254.169.254',
  '2002:a9fe:a9fe::1',
  '::169.254.169.254',
  'fe80::1',
  'fe80::1%eth0',
  'fd00:ec2::254',
  '100.100.100.200',
  '168.63.129.16',
  '0.0.0.0',
  '::',
  '224.0.0.1',
  'ff02::1',
  '255.255.255.255',
  'localhost',
  '127.1',
])('%s is never connected to', (address) => {
  expect(any.refusalOf(address)).toMatch(/^is /)
  expect(createAddressGuard(readOutboundPolicy('0.0.0.0/0,::/0')).refusalOf(address)).toBeDefined()
})

test.each([
  ['127.0.0.1', 'loopback'],
  ['::1', 'loopback'],
  ['10.1.2.3', 'private'],
  ['fd12:3456::1', 'private'],
  ['192.168.1.1', 'private'],
  ['203.0.114.7', 'public'],
  ['2606:4700::1111', 'public'],
])('%s is allowed unless narrowed, and is reported to be %s', (address, kind) => {
  expect(any.refusalOf(address)).toBeUndefined()
  expect(any.kindOf(address)).toBe(kind)
  const isPublic = createAddressGuard(readOutboundPolicy('public')).refusalOf(address) === undefined
  expect(isPublic).toBe(kind === 'public')
})

test('named networks allow nothing else, also in the clothes of IPv6', () => {
  const guard = createAddressGuard(readOutboundPolicy('10.0.0.0/8, 203.0.114.7'))
  expect(guard.refusalOf('10.9.9.9')).toBeUndefined()
  expect(guard.refusalOf('::ffff:10.9.9.9')).toBeUndefined()
  expect(guard.refusalOf('203.0.114.7')).toBeUndefined()
  expect(guard.refusalOf('203.0.114.8')).toContain('BEY_OUTBOUND')
  expect(guard.refusalOf('127.0.0.1')).toContain('BEY_OUTBOUND')
})

test('a policy that makes no sense is refused with what to set', () => {
  expect(() => readOutboundPolicy('10.0.0.0/8,office')).toThrow(ConfigError)
  expect(() => readOutboundPolicy('10.1')).toThrow('BEY_OUTBOUND')
})

test('a name that leads to a refused address is refused when it is looked up, before a byte is sent', async () => {
  const connections: Socket[] = []
  const server = createServer((socket) => connections.push(socket)).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const { lookup } = createOutbound(createAddressGuard({ kind: 'public' }))
  const socket = connect({ host: 'localhost', port, lookup })
  const [error] = (await once(socket, 'error').catch((raised: unknown) => [raised])) as [Error]
  expect(error).toBeInstanceOf(OutboundRefused)
  expect(error.message).toMatch(/^localhost resolves to .* which is not public/)
  expect(connections).toEqual([])
  const allowed = connect({ host: 'localhost', port, lookup: createOutbound(any).lookup })
  await once(allowed, 'connect')
  allowed.destroy()
  server.close()
})
