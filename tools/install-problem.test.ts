import { expect, test } from 'vitest'
import { installProblem } from './install-problem.mjs'

test.each([
  ['npm error code ENOSPC\nnpm error nospc ENOSPC: no space left on device, write', /^The disk is full/],
  ['npm error code EACCES\nnpm error syscall mkdir\nnpm error path /srv/bey/node_modules', /chown/],
  ["npm error code EROFS\nnpm error EROFS: read-only file system, mkdir '/srv/node_modules'", /read-only/],
  [
    'npm error code ENOTFOUND\nnpm error network request to https://registry.invalid/zod failed',
    /cannot be reached/,
  ],
  ['npm error code ECONNREFUSED\nnpm error FetchError: connect ECONNREFUSED 127.0.0.1:3128', /https-proxy/],
  ['npm error code E407\nnpm error 407 Proxy Authentication Required', /asks for a login/],
  [
    'npm error code SELF_SIGNED_CERT_IN_CHAIN\nnpm error self-signed certificate in certificate chain',
    /NODE_EXTRA_CA_CERTS/,
  ],
  ['npm error code CERT_HAS_EXPIRED', /clock/],
  ['npm error code E403\nnpm error 403 Forbidden - GET https://registry.invalid/zod', /refuses this machine/],
  ['npm error code E404\nnpm error 404 Not Found - GET https://registry.invalid/zod', /lacks a version/],
  ['npm error code EINTEGRITY\nnpm error sha512-… integrity checksum failed', /cache clean/],
])('what npm says as %s has a sentence with the way on', (output, sentence) => {
  expect(installProblem(output)).toMatch(sentence)
})

test('what is not known is left to the words of npm', () => {
  expect(installProblem('npm error code EWEIRD\nnpm error something new')).toBeUndefined()
})
