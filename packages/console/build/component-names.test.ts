import { expect, test } from 'vitest'
import { withComponentNames } from './component-names.ts'

const mark = (code: string) => withComponentNames(code, 'page.tsx')

test.each([
  ['export function A() { return <div id="a"><b /></div> }', '<div data-component="A" id="a"><b /></div>'],
  ['const B = () => <p>b</p>', '<p data-component="B">b</p>'],
  ['const C = memo(forwardRef(function C() { return <p /> }))', '<p data-component="C" />'],
  ['export default function D() { return <p /> }', '<p data-component="D" />'],
  ['function E() { return <><i /><b /></> }', '<><i data-component="E" /><b data-component="E" /></>'],
  [
    'function F() { return x ? <i /> : y && <b /> }',
    'x ? <i data-component="F" /> : y && <b data-component="F" />',
  ],
  [
    'function G() { return <Provider value={1}><i /></Provider> }',
    '<Provider value={1}><i data-component="G" />',
  ],
  ['function H() { if (x) return <i />\n  return (<b />) }', '(<b data-component="H" />)'],
  ['function I() { switch (x) { case 1: return <i /> } }', 'return <i data-component="I" />'],
])('%s is marked at its root', (code, expected) => {
  expect(mark(code)).toContain(expected)
})

test.each([
  'function render() { return <div /> }',
  'export function A() { return <Menu label="x" /> }',
  'function A() { return list.map((each) => <li key={each} />) }',
  'function A() { return <div data-component="Own" /> }',
  'function A() { return <div',
  'const a = 1',
])('%s stays as it is', (code) => {
  expect(mark(code)).toBe(code)
})

test('lines stay where they are', () => {
  const code = 'function A() {\n  return (\n    <div\n      id="a"\n    />\n  )\n}\n'
  expect(mark(code).split('\n')).toHaveLength(code.split('\n').length)
})
