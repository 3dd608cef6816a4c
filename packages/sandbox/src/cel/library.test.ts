import { expect, test } from 'vitest'
import { CelError, celValue, compile } from './cel.ts'
import { check } from './check.ts'

const object = celValue({
  address: '10.0.0.7',
  memory: '512Mi',
  url: 'https://a.example:8443/x',
  name: 'a-b',
})

const scope = { variables: { object: 'dyn' } }

function value(expression: string): unknown {
  return compile(expression)({ object })
}

test.each([
  "isIP('10.0.0.1') && isIP('::1') && !isIP('10.0.0') && !isIP('01.1.1.1')",
  "!isIP('::ffff:1.2.3.4') && !isIP('fe80::1%eth0')",
  "ip('10.0.0.1').family() == 4 && ip('::1').family() == 6",
  "ip('0.0.0.0').isUnspecified() && ip('::').isUnspecified()",
  "ip('127.3.0.1').isLoopback() && ip('::1').isLoopback() && !ip('10.0.0.1').isLoopback()",
  "ip('169.254.1.1').isLinkLocalUnicast() && ip('fe80::1').isLinkLocalUnicast()",
  "ip('224.0.0.5').isLinkLocalMulticast() && ip('ff02::1').isLinkLocalMulticast()",
  "ip('192.168.0.1').isGlobalUnicast() && !ip('255.255.255.255').isGlobalUnicast()",
  "ip.isCanonical('2001:db8::1') && !ip.isCanonical('2001:DB8::1') && !ip.isCanonical('2001:db8:0::1')",
  "string(ip('2001:DB8:0:0:1:0:0:1')) == '2001:db8::1:0:0:1'",
  "ip('2001:db8::a') == ip('2001:db8:0::A') && ip('1.1.1.1') != ip('1.1.1.2')",
  "isCIDR('10.0.0.0/8') && !isCIDR('10.0.0.0/33') && !isCIDR('10.0.0.0')",
  "cidr('10.0.0.0/8').containsIP(object.address) && cidr('10.0.0.0/8').containsIP(ip('10.9.9.9'))",
  "!cidr('10.0.0.0/8').containsIP('11.0.0.1') && !cidr('::/0').containsIP('10.0.0.1')",
  "cidr('10.0.0.0/8').containsCIDR('10.1.0.0/16') && !cidr('10.1.0.0/16').containsCIDR(cidr('10.0.0.0/8'))",
  "cidr('10.1.2.3/12').masked() == cidr('10.0.0.0/12') && string(cidr('10.1.2.3/12').ip()) == '10.1.2.3'",
  "cidr('2001:db8::/33').prefixLength() == 33",
  "isURL('https://a.example/b') && isURL('/absolute') && !isURL('../relative') && !isURL('a.example')",
  "url(object.url).getScheme() == 'https' && url(object.url).getHost() == 'a.example:8443'",
  "url(object.url).getHostname() == 'a.example' && url(object.url).getPort() == '8443'",
  "url('https://[::1]:80/').getHostname() == '::1' && url('https://[::1]:80/').getHost() == '[::1]:80'",
  "url('/path').getScheme() == '' && url('https://a/with space'.replace(' ', '%20')).getEscapedPath() == '/with%20space'",
  "url('https://a/?k=1&k=2&l=').getQuery() == {'k': ['1', '2'], 'l': ['']}",
  "quantity(object.memory).isLessThan(quantity('1Gi')) && quantity('1').isGreaterThan(quantity('999m'))",
  "quantity('1.5Gi').compareTo(quantity('1536Mi')) == 0 && quantity('1k').compareTo(quantity('1Ki')) == -1",
  "quantity('0.1').add(quantity('0.2')) == quantity('300m') && quantity('5').sub(2) == quantity('3')",
  "quantity('2k').asInteger() == 2000 && !quantity('1500m').isInteger() && quantity('1e3').asInteger() == 1000",
  "quantity('500m').asApproximateFloat() == 0.5 && quantity('-1').sign() == -1 && !isQuantity('1 Gi')",
  '!format.dns1123Label().validate(object.name).hasValue()',
  "format.dns1123Label().validate('A').value()[0].contains('lower case')",
  "format.named('uuid').value().validate('no').hasValue() && !format.named('nothing').hasValue()",
  "!format.datetime().validate('2026-02-28T10:00:00Z').hasValue() && format.date().validate('2026-02-30').hasValue()",
  "!format.qualifiedName().validate('example.com/a').hasValue() && format.labelValue().validate('-').hasValue()",
  "'%s has %d of %.2f'.format([object.name, 2, 0.5]) == 'a-b has 2 of 0.50'",
  "'a.b.c'.replace('.', '-', 1) == 'a-b.c' && 'abc'.charAt(1) == 'b'",
  "sets.contains([1, 2], [2]) && sets.intersects(['a'], ['a', 'b']) && !sets.equivalent([1], [1, 2])",
])('%s', (expression) => {
  expect(check(expression, scope).wrong).toBeUndefined()
  expect(value(expression)).toBe(true)
})

test.each([
  ["ip('nonsense')", /parse error/],
  ["cidr('10.0.0.0/99')", /parse error/],
  ["url('nonsense')", /parse error/],
  ["quantity('10 apples')", /quantities must match/],
  ["quantity('0.5').asInteger()", /cannot convert/],
])('%s is an error', (expression, said) => {
  expect(() => value(expression)).toThrow(CelError)
  expect(() => value(expression)).toThrow(said)
})

test.each(["ip('1.1.1.1').nonsense()", 'isIP(1)'])('%s is refused before it is used', (expression) => {
  expect(check(expression, scope).wrong).toContain('compilation failed')
})
