import { afterAll, beforeAll, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import {
  podsPath,
  deployment,
  deploymentsPath,
  testSandbox,
  type StillSandbox,
} from '../testing/test-sandbox.ts'
import { numberAt, textAt } from '../json.ts'

let sandbox: StillSandbox

beforeAll(async () => {
  sandbox = await testSandbox()
  const service = (name: string, app: string) => ({
    metadata: { name },
    spec: { selector: { app }, ports: [{ port: 8080, targetPort: 80 }] },
  })
  const path = '/api/v1/namespaces/default/services'
  await sandbox.call('POST', deploymentsPath, deployment('web', 1))
  await sandbox.call('POST', path, service('web', 'web'))
  await sandbox.call('POST', path, service('empty', 'nobody'))
  await sandbox.call('POST', podsPath, {
    metadata: { name: 'box' },
    spec: { containers: [{ name: 'a', image: 'nginx', command: ['sleep', 'infinity'] }] },
  })
  await sandbox.until(`${podsPath}/box`, (body) => textAt(body, 'status', 'phase') === 'Running')
  await sandbox.until(`${deploymentsPath}/web`, (body) => numberAt(body, 'status', 'readyReplicas') === 1)
})
afterAll(() => sandbox.remove())

/** What a script says on both outputs, and the end of it when that is a failure. */
function sh(script: string): Promise<string> {
  const query = ['sh', '-c', script].map((word) => `command=${encodeURIComponent(word)}`).join('&')
  const url = `${sandbox.url.replace('https', 'wss')}${podsPath}/box/exec?${query}&stdout=true&stderr=true`
  const headers = { authorization: `Bearer ${sandbox.adminToken}` }
  const socket = new WebSocket(url, ['v5.channel.k8s.io'], { ca: sandbox.caPem, headers })
  return new Promise((done, fail) => {
    let text = ''
    socket.on('message', (data: Buffer) => {
      if (data[0] !== 3) text += data.subarray(1).toString()
      else text += /exit status \d+/.exec(data.toString())?.[0] ?? ''
    })
    socket.on('close', () => done(text))
    socket.on('error', fail)
  })
}

test.each([
  ['for i in 1 2 3; do echo "n $i"; done', 'n 1\nn 2\nn 3\n'],
  ['i=0; while [ $i -lt 3 ]; do i=$((i + 1)); done; echo $i', '3\n'],
  ['for i in $(seq 1 4); do [ $i = 3 ] && break; printf "%s," $i; done', '1,2,'],
  ['if [ -f /etc/hostname ] && test -d /etc; then echo yes; else echo no; fi', 'yes\n'],
  ['echo $((2 * (3 + 4) % 5)) "a;b" \'$HOME\' ${NOPE:-none}', '4 a;b $HOME none\n'],
  ['false || echo "code $?"; ! false && echo ok', 'code 1\nok\n'],
  ['ls /nowhere 2>/dev/null || echo gone', 'gone\n'],
  ['echo a > /tmp/f; echo b >> /tmp/f; cat < /tmp/f | wc -l', '2\n'],
  [
    'mkdir -p /t/a; echo x > /t/a/f; echo y > /t/g; ls -R /t; ls -d /t; ls /t/g /t/a',
    '/t:\na\ng\n\n/t/a:\nf\n/t\n/t/g\n\n/t/a:\nf\n',
  ],
  ['command -v curl; which nosuch', '/usr/bin/curl\nexit status 1'],
  ['f() { echo "$1-$#"; return 3; }; f a b; echo $?', 'a-2\n3\n'],
  ['f() { local x=in; y=$x; }; x=out; f; echo $x $y', 'out in\n'],
  ['up() { if [ $1 -gt 0 ]; then echo $1; up $(($1 - 1)); fi; }\nup 3', '3\n2\n1\n'],
  ['f() { for i in "$@"; do echo "<$i>"; done; }; f "a b" c', '<a b>\n<c>\n'],
  ['f() { shift; echo "$*" > /tmp/g; }; f 1 2 3; cat /tmp/g', '2 3\n'],
  ['case web-1 in a|b) echo no;; web-*) echo web;; *) echo other; esac', 'web\n'],
  ['case "*" in "?") echo literal;; \\*) echo star;; esac', 'star\n'],
  [
    'for n in 7 x ""; do case $n in [0-9]) echo digit;; ?) echo one;; *) echo none;; esac; done',
    'digit\none\nnone\n',
  ],
  [
    'echo /etc/host* /etc/os-r?lease /etc/[pq]asswd',
    '/etc/hostname /etc/hosts /etc/os-release /etc/passwd\n',
  ],
  ['cd /etc; echo host[!s]*; echo "host*" host\\* nothing*', 'hostname\nhost* host* nothing*\n'],
  [
    'touch /tmp/a1 /tmp/a2; for f in /tmp/a*; do echo ${f##*/}; done; rm /tmp/a?; echo /tmp/a*',
    'a1\na2\n/tmp/a*\n',
  ],
  ['cat <<EOF | wc -l\nhost $HOSTNAME\n"two"\nEOF', '2\n'],
  ['x=1; cat <<EOF\n$x $((x + 1)) $(echo sub) \\$x\nEOF\necho after', '1 2 sub $x\nafter\n'],
  ["cat <<'END' > /tmp/h\n$x `y`\nEND\ncat /tmp/h", '$x `y`\n'],
  ['if true; then\n\tcat <<-E\n\t\tindented\n\tE\nfi', 'indented\n'],
  ['x=$(y=2; cd /tmp; echo $y); echo "$x-$y-$PWD$(pwd)"; (exit 4); echo $?', '2--/\n4\n'],
  ['p=/a/b.txt; echo ${p#*/} ${p%.*} ${p%%/*} ${#p} ${q:=set} $q', 'a/b.txt /a/b 8 set set\n'],
  ["sh -c 'echo $0 $2; exit 3' sh a b; echo $?", 'sh b\n3\n'],
  ['echo "echo $1 got" > /tmp/s.sh; sh /tmp/s.sh', 'got\n'],
  ['x=$(ls /nowhere) 2>/dev/null; echo "$?"', '1\nls: /nowhere: No such file or directory\n'],
  ['echo ${x/a/b}', 'sh: bad substitution\nexit status 2'],
  ['x=(1 2)', 'sh: syntax error: unexpected "("\nexit status 2'],
  ['cat <(echo a)', 'sh: syntax error: unexpected "("\nexit status 2'],
  ['case x in esac done', 'sh: syntax error: unexpected "done"\nexit status 2'],
  ['cat <<EOF\nnever closed', 'sh: syntax error: unexpected end of file\nexit status 2'],
  ['[[ a == a ]]', 'sh: [[: not found\nexit status 127'],
  ['set -k', 'sh: set: illegal option -k\nexit status 2'],
  ['set -e; false || echo on; if false; then :; fi; ! true; false; echo after', 'on\nexit status 1'],
  ['set -eu; set +e; false; echo after', 'after\n'],
  ['echo -e "a\\tb"; echo -n c | tee /tmp/t; cat /tmp/t', 'a\tb\ncc'],
  ['date -u +%Y-%m | grep -c 2025 >/dev/null; date "+%H:%M"', '00:00\n'],
  ['exec echo last; echo never', 'last\n'],
  ['for i in 1 2; do echo', 'sh: syntax error: unexpected end of file\nexit status 2'],
  ['echo $((1 / 0))', 'sh: divide by zero\nexit status 2'],
])('%s', async (script, said) => {
  expect(await sh(script)).toBe(said)
})

test('a loop without an end is killed', async () => {
  expect(await sh('while true; do sleep 1; done')).toBe('Killed\nexit status 137')
  expect(await sh('while :; do :; done; echo after')).toBe('Killed\nexit status 137')
  expect(await sh('x=ab; while :; do x=$x$x; done')).toBe('sh: out of memory\nexit status 2')
  expect(await sh('f() { f; }; f')).toBe('sh: functions call each other too deeply\nexit status 2')
  expect(await sh('f() { $(f); }; f')).toContain('too deeply')
  expect(await sh(`echo ${'$('.repeat(500)}`)).toContain('syntax error')
})

test('services have names, and what is behind them answers', async () => {
  expect(await sh('nslookup web.default')).toContain('Name:\tweb.default.svc.cluster.local\nAddress: 10.')
  expect(await sh('getent hosts web')).toMatch(/^10\.\S+\s+web\.default\.svc\.cluster\.local {2}web\n$/)
  expect(await sh('curl -s http://web:8080/')).toContain('Welcome to nginx!')
  expect(await sh('wget -qO- web.default.svc.cluster.local:8080')).toContain('Welcome to nginx!')
  expect(await sh('curl -s -o /dev/null -w "%{http_code}" web:8080/nowhere')).toBe('404')
})

test('what is not there is refused, not found, or silent, in the words of the tools', async () => {
  expect(await sh('curl empty:8080')).toBe(
    'curl: (7) Failed to connect to empty port 8080 after 1 ms: Connection refused\nexit status 7',
  )
  expect(await sh('curl -sS http://nowhere.example')).toBe(
    'curl: (6) Could not resolve host: nowhere.example\nexit status 6',
  )
  expect(await sh('wget -q nowhere')).toBe("wget: bad address 'nowhere'\nexit status 1")
  expect(await sh('nslookup nowhere')).toContain("server can't find nowhere: NXDOMAIN")
  expect(await sh('curl web:81')).toContain('curl: (28)')
})
