import { expect, test } from 'vitest'
import type { ToastMessage } from '../../ui/toast.ts'
import { createRecorder } from './recorder.ts'
import type { Reader, RecordedToast } from './recorder.ts'

function given() {
  const state: { reader: Reader | undefined; isSeen: boolean; answers: (() => Promise<unknown>)[] } = {
    reader: { userId: 1, organizationId: 7 },
    isSeen: false,
    answers: [],
  }
  const sent: { organizationId: number; notes: RecordedToast[] }[] = []
  const read: string[] = []
  const warned: string[] = []
  const timers: { callback: () => void; delayMs: number }[] = []
  let ids = 0
  const recorder = createRecorder({
    reader: () => state.reader,
    isSeen: () => state.isSeen,
    place: () => '/kubernetes/clusters',
    send: (organizationId, notes) => {
      sent.push({ organizationId, notes: notes.map((note) => ({ ...note })) })
      return state.answers.shift()?.() ?? Promise.resolve()
    },
    markRead: async (_organizationId, id) => void read.push(id),
    isTransient: (error) => error === 'transient',
    newId: () => `id-${(ids += 1)}`,
    schedule: (callback, delayMs) => void timers.push({ callback, delayMs }),
    warn: (message) => void warned.push(message),
  })
  const say = (text: string, values: Partial<ToastMessage> = {}): ToastMessage => {
    const message: ToastMessage = { type: 'error', text, at: new Date(), ...values }
    recorder.said(message)
    return message
  }
  const texts = () => sent.map(({ notes }) => notes.map((note) => note.title))
  return { state, sent, read, warned, timers, recorder, say, texts }
}

test('toasts of one moment travel together, in their order, with all that they said and where', async () => {
  const { recorder, say, sent, timers } = given()
  say('Failed to load data', { description: 'Cannot be reached.', requestId: 'r1' })
  say('Saved', { type: 'success', href: '/workflows' })
  expect(timers.map(({ delayMs }) => delayMs)).toEqual([300])
  await recorder.flush()
  expect(sent).toMatchObject([
    {
      organizationId: 7,
      notes: [
        {
          id: 'id-1',
          level: 'error',
          title: 'Failed to load data',
          detail: 'Cannot be reached.',
          requestId: 'r1',
          href: '/kubernetes/clusters',
        },
        { id: 'id-2', level: 'success', title: 'Saved', href: '/workflows' },
      ],
    },
  ])
})

test('a toast that could be seen is recorded as read, one in a hidden tab as unread', async () => {
  const { recorder, say, state, sent } = given()
  state.isSeen = true
  say('on screen')
  state.isSeen = false
  say('behind another tab')
  await recorder.flush()
  expect(sent[0]?.notes.map((note) => note.isRead ?? false)).toEqual([true, false])
})

test('nothing is kept while nobody is signed in, nor what was said to somebody before', async () => {
  const { recorder, say, sent, state } = given()
  state.reader = undefined
  say('Signed out successfully')
  state.reader = { userId: 1, organizationId: 7 }
  say('Long ago', { at: new Date(Date.now() - 11_000) })
  say('By somebody who has left')
  state.reader = { userId: 2, organizationId: 7 }
  await recorder.flush()
  expect(sent).toEqual([])
})

test('a failure is tried again later with the same ids, and what came meanwhile goes along', async () => {
  const { recorder, say, sent, state, timers, texts } = given()
  state.answers = [() => Promise.reject('transient')]
  say('one')
  timers.shift()?.callback()
  await recorder.flush()
  expect(timers.map(({ delayMs }) => delayMs)).toEqual([2_000])
  say('two')
  timers.shift()?.callback()
  await recorder.flush()
  expect(texts()).toEqual([['one'], ['one', 'two']])
  expect(sent[1]?.notes[0]?.id).toBe(sent[0]?.notes[0]?.id)
})

test('what the server refuses is given up with a line in the console, and the next ones go their way', async () => {
  const { recorder, say, state, texts, warned } = given()
  state.answers = [() => Promise.reject('refused')]
  say('one')
  await recorder.flush()
  say('two')
  await recorder.flush()
  expect(texts()).toEqual([['one'], ['two']])
  expect(warned).toEqual(['What toasts said could not be kept'])
})

test('it gives up after five more attempts', async () => {
  const { recorder, say, state, sent, warned } = given()
  state.answers = Array.from({ length: 6 }, () => () => Promise.reject('transient'))
  say('one')
  for (let attempt = 0; attempt < 8; attempt += 1) await recorder.flush()
  expect([sent.length, warned.length]).toEqual([6, 1])
})

test('what was said in another organization is kept there', async () => {
  const { recorder, say, state, sent } = given()
  say('here')
  state.reader = { userId: 1, organizationId: 8 }
  say('there')
  await recorder.flush()
  expect(sent.map(({ organizationId, notes }) => [organizationId, notes[0]?.title])).toEqual([
    [7, 'here'],
    [8, 'there'],
  ])
})

test('a toast that was closed is read: before it is sent, while it is, and after', async () => {
  const { recorder, say, state, sent, read } = given()
  recorder.closed(say('before'))
  const answer = Promise.withResolvers<void>()
  state.answers = [() => answer.promise]
  const during = say('during')
  const flushed = recorder.flush()
  recorder.closed(during)
  answer.resolve()
  await flushed
  await Promise.resolve()
  recorder.closed(during)
  await new Promise((done) => setTimeout(done))
  expect(sent[0]?.notes.map((note) => note.isRead ?? false)).toEqual([true, false])
  expect(read).toEqual(['id-2', 'id-2'])
})

test('a long text is cut rather than refused', async () => {
  const { recorder, say, sent } = given()
  say('x'.repeat(300), { description: 'y'.repeat(2_000) })
  await recorder.flush()
  const [note] = sent[0]?.notes ?? []
  expect([note?.title.length, note?.detail?.length]).toEqual([200, 1_000])
})
