import { expect, test } from 'vitest'
import { createStrangerSockets } from './stranger-sockets.ts'

function pool(perAddress: number, inAll: number) {
  const strangers = createStrangerSockets({ perAddress, inAll })
  const closed: string[] = []
  const add = (address: string, name: string) => strangers.add(address, { close: () => closed.push(name) })
  return { strangers, closed, add }
}

test('one too many of an address closes the one of that address that has waited for longest', () => {
  const { strangers, closed, add } = pool(2, 10)
  for (const name of ['a', 'b', 'c', 'd']) add('there', name)
  add('elsewhere', 'e')
  expect([closed, strangers.count()]).toEqual([['a', 'b'], 3])
})

test('one too many in all closes the one that has waited for longest where most wait', () => {
  const { strangers, closed, add } = pool(5, 4)
  add('honest', 'h')
  for (const name of ['a', 'b', 'c']) add('greedy', name)
  add('another', 'x')
  add('third', 'y')
  expect([closed, strangers.count()]).toEqual([['a', 'b'], 4])
})

test('whoever has entered or gone is no stranger, and is forgotten once only', () => {
  const { strangers, closed, add } = pool(1, 1)
  const forget = add('there', 'a')
  forget()
  forget()
  add('there', 'b')
  expect([closed, strangers.count()]).toEqual([[], 1])
})
