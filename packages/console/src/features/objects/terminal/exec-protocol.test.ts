import { expect, test } from 'vitest'
import { execEnd, readFrame, resizeFrame, stdinFrame } from './exec-protocol.ts'
import { commandWords, execCommand, execPath } from './shells.ts'

test('frames carry their channel in the first byte', () => {
  expect([...stdinFrame('é')]).toEqual([0, 0xc3, 0xa9])
  expect(new TextDecoder().decode(resizeFrame(80, 24).subarray(1))).toBe('{"Width":80,"Height":24}')
  const output = readFrame(new Uint8Array([1, 104, 105]).buffer)
  expect(output).toMatchObject({ kind: 'output' })
  expect(readFrame(new Uint8Array([9, 1]).buffer)).toBeUndefined()
  expect(readFrame(new ArrayBuffer(0))).toBeUndefined()
})

test('the end of a session tells the exit code, a missing program, or what went wrong', () => {
  expect(execEnd('{"status":"Success"}')).toEqual({ exitCode: 0, message: '', isNotFound: false })
  const failed = {
    status: 'Failure',
    message: 'command terminated with exit code 3',
    details: { causes: [{ reason: 'ExitCode', message: '3' }] },
  }
  expect(execEnd(JSON.stringify(failed))).toMatchObject({ exitCode: 3, isNotFound: false })
  const missing = 'exec: "bash": executable file not found in $PATH'
  expect(execEnd(JSON.stringify({ status: 'Failure', message: missing }))).toMatchObject({
    exitCode: undefined,
    isNotFound: true,
  })
  expect(execEnd('broken')).toEqual({ exitCode: undefined, message: 'broken', isNotFound: false })
})

test('a command is split as a shell would, and becomes a path and a kubectl line', () => {
  expect(commandWords(`sh -c 'echo "a b"' x"y z"`)).toEqual(['sh', '-c', 'echo "a b"', 'xy z'])
  const target = { namespace: 'a', pod: 'web', container: 'app' }
  expect(execPath(target, ['sh', '-l'])).toBe(
    '/api/v1/namespaces/a/pods/web/exec?container=app&stdin=true&stdout=true&stderr=true&tty=true&command=sh&command=-l',
  )
  expect(execCommand(target, ['sh'])).toBe('kubectl exec -it -n a web -c app -- sh')
})
