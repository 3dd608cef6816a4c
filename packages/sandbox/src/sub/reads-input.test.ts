import { expect, test } from 'vitest'
import { readsInput } from './reads-input.ts'

test.each([
  ['cat'],
  ['cat -'],
  ['/bin/sort -r'],
  ['tee /tmp/a'],
  ['grep -i x'],
  ['head -n 5'],
  ['tar -xmf - -C /tmp'],
  ['tar xz'],
  ['sh'],
  ['sh -c', 'cat > /tmp/a'],
  ['sh -c', 'cd /tmp && tar xf -'],
])('%s %s reads stdin', (words, script?: string) => {
  expect(readsInput([...words.split(' '), ...(script ? [script] : [])])).toBe(true)
})

test.each([
  ['echo hi'],
  ['cat /etc/hosts'],
  ['grep x /etc/hosts'],
  ['tail -n 5 /etc/hosts'],
  ['tar cf - /tmp'],
  ['ls'],
  ['sh -c', 'echo a | cat'],
  ['sh -c', 'cat < /etc/hosts; wc -l /etc/hosts'],
])('%s %s does not', (words, script?: string) => {
  expect(readsInput([...words.split(' '), ...(script ? [script] : [])])).toBe(false)
})
