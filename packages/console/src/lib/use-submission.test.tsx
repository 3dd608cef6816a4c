import { ApiError } from '@bey/client'
import { QueryClient, QueryClientProvider, useMutation } from '@tanstack/react-query'
import { createMemoryHistory, createRootRoute, createRouter, RouterProvider } from '@tanstack/react-router'
import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { useState } from 'react'
import { afterEach, expect, test, vi } from 'vitest'
import { Field } from '../ui/field.tsx'
import { FormPage } from '../ui/form-page.tsx'
import { Input } from '../ui/input.tsx'
import { useSubmission } from './use-submission.ts'

const save = vi.fn<(title: string) => Promise<string>>()
const onSaved = vi.fn<(title: string) => void>()

function Form() {
  const [title, setTitle] = useState('')
  const mutation = useMutation({ mutationFn: save })
  const { errors, refusal, onChange, wasSubmitted, ...submission } = useSubmission({
    mutation,
    invalid: title === '' ? { title: 'Enter a title.' } : {},
    input: title,
    lost: title === '' ? undefined : `the thing “${title}”`,
    fieldOfCode: { name_taken: 'title' },
    hasField: (path) => path === 'title',
    onSaved,
  })
  return (
    <FormPage
      {...submission}
      title="Create thing"
      description={wasSubmitted ? 'submitted' : 'new'}
      refusal={refusal === undefined ? undefined : { title: 'It was not created', detail: refusal }}
      cancelHref="/things"
    >
      <Field label="Title" error={errors['title']}>
        {(control) => (
          <Input
            {...control}
            value={title}
            onChange={(event) => {
              setTitle(event.target.value)
              onChange()
            }}
          />
        )}
      </Field>
    </FormPage>
  )
}

async function given() {
  const router = createRouter({
    routeTree: createRootRoute({ component: Form }),
    history: createMemoryHistory(),
  })
  render(
    <QueryClientProvider client={new QueryClient()}>
      <RouterProvider router={router} />
    </QueryClientProvider>,
  )
  return screen.findByLabelText('Title')
}

const submit = () => fireEvent.click(screen.getByRole('button', { name: 'Create thing' }))
const type = (field: HTMLElement, value: string) => fireEvent.change(field, { target: { value } })
const refuse = (problem: NonNullable<ConstructorParameters<typeof ApiError>[0]['problem']>) =>
  save.mockRejectedValueOnce(
    new ApiError({ kind: 'problem', status: 400, statusText: 'Bad Request', problem }),
  )

afterEach(() => {
  cleanup()
  vi.resetAllMocks()
})

test('what the form finds wrong is shown once it is submitted, takes the focus, and nothing is sent', async () => {
  const field = await given()
  expect(screen.queryByText('Enter a title.')).toBeNull()
  submit()
  expect(screen.getByText('Enter a title.')).toBeTruthy()
  expect(document.activeElement).toBe(field)
  expect(save).not.toHaveBeenCalled()
})

test('a taken name stands at its field until the field is changed', async () => {
  const field = await given()
  refuse({ code: 'name_taken', detail: 'The title is taken.' })
  type(field, 'prod')
  submit()
  await screen.findByText('The title is taken.')
  expect(document.activeElement).toBe(field)
  expect(screen.queryByText('It was not created')).toBeNull()
  type(field, 'prod-2')
  expect(screen.queryByText('The title is taken.')).toBeNull()
})

test('a refusal that belongs to no field of the form is said above the button', async () => {
  const field = await given()
  refuse({ detail: 'This machine has no room.', errors: [{ path: 'size', message: 'Too large.' }] })
  type(field, 'prod')
  submit()
  expect((await screen.findByText('It was not created')).closest('[role=alert]')?.textContent).toContain(
    'This machine has no room.',
  )
})

test('what is saved is handed on', async () => {
  const field = await given()
  save.mockResolvedValueOnce('prod')
  type(field, 'prod')
  submit()
  await vi.waitFor(() => expect(onSaved).toHaveBeenCalledExactlyOnceWith('prod'), 60_000)
  expect(save.mock.calls[0]?.[0]).toBe('prod')
})
