import { expect, test } from 'vitest'
import { bucketNameError, prefixError, s3EndpointError } from './backup-target-rules.ts'

test.each([
  ['https://s3.example.com', undefined],
  ['http://127.0.0.1:9000/', undefined],
  ['s3.example.com', 'Enter a whole URL, such as https://s3.example.com.'],
  ['ftp://s3.example.com', 'Use a URL that begins with https:// or http://.'],
  ['https://key:secret@s3.example.com', 'Leave credentials out of the URL: enter them below.'],
  ['https://s3.example.com/backups', 'Leave out what follows the host: the bucket has a field of its own.'],
  ['https://s3.example.com?a=b', 'Leave out what follows the host: the bucket has a field of its own.'],
])('the endpoint %s: %s', (text, error) => expect(s3EndpointError(text)).toBe(error))

test.each([
  ['backups', true],
  ['my.backups-2', true],
  ['ab', false],
  ['Backups', false],
  ['-backups', false],
  ['a..b', false],
  ['192.168.0.1', false],
  ['a/b', false],
  ['a'.repeat(64), false],
])('the bucket %s: %s', (text, isName) => expect(bucketNameError(text) === undefined).toBe(isName))

test.each([
  ['', true],
  ['bey/prod', true],
  ['/bey', false],
  ['bey/', false],
  ['../../bey', false],
  ['a/.b', false],
  ['a b', false],
])('the prefix %j: %s', (text, isGood) => expect(prefixError(text) === undefined).toBe(isGood))
