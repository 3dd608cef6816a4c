import { expect, test } from 'vitest'
import { createAnonymousSockets } from './anonymous-sockets.ts'

function pool(perAddress: number, inAll: number) {
  const anonymousClients = createAnonymousSockets({ perAddress, inAll })
  const closed: string[] = []
  const add = (address: string, name: string) =>
    anonymousClients.add(address, { close: () => closed.push(name) })
  return { anonymousClients, closed, add }
}

test('one too many of an address closes the one of that address that has waited for longest', () => {
  const { anonymousClients, closed, add } = pool(2, 10)
  for (const name of ['a', 'b', 'c', 'd']) add('there', name)
  add('elsewhere', 'e')
  expect([closed, anonymousClients.count()]).toEqual([['a', 'b'], 3])
})

test('one too many in all closes the one that has waited for longest where most wait', () => {
  const { anonymousClients, closed, add } = pool(5, 4)
  add('honest', 'h')
  for (const name of ['a', 'b', 'c']) add('greedy', name)
  add('another', 'x')
  add('third', 'y')
  expect([closed, anonymousClients.count()]).toEqual([['a', 'b'], 4])
})

test('anyone who has entered or gone is no stranger, and is forgotten once only', () => {
  const { anonymousClients, closed, add } = pool(1, 1)
  const forget = add('there', 'a')
  forget()
  forget()
  add('there', 'b')
  expect([closed, anonymousClients.count()]).toEqual([[], 1])
})
