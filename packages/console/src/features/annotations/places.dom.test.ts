import { afterEach, expect, test } from 'vitest'
import { boxBetween, isDrag, isWithin, minDragPx, unionOf } from './box.ts'
import { componentNameOf, levelsOf, neighbourOf } from './component-levels.ts'
import { findAnnotated } from './find-annotated.ts'
import { pageUrl } from './page-url.ts'
import { areaName, locationOf } from './selection.ts'
import { elementAtXPath, xpathOf } from './xpath.ts'

afterEach(() => document.body.replaceChildren())

function draw(html: string) {
  document.body.innerHTML = html
}

const find = (selector: string): Element => {
  const found = document.querySelector(selector)
  if (!found) throw new Error(`There is no ${selector}.`)
  return found
}

const page = `
  <main id="main" data-component="ListPage">
    <div data-component="Toolbar"><p><b class="label">Filter</b></p></div>
    <ul data-component="Table">
      <li data-component="Row">one</li>
      <li data-component="Row" id="_r_1_">two <svg data-component="Icon"><path /></svg></li>
    </ul>
  </main>`

test('a drag begins at 5 px; less is a click', () => {
  expect(minDragPx).toBe(5)
  const from = { x: 10, y: 10 }
  expect(isDrag(from, { x: 14, y: 12 })).toBe(false)
  expect(isDrag(from, { x: 14.9, y: 10 })).toBe(false)
  expect(isDrag(from, { x: 15, y: 10 })).toBe(true)
  expect(isDrag(from, { x: 10, y: 5 })).toBe(true)
  expect(isDrag(from, { x: 13, y: 14 })).toBe(true)
})

test('a box is the same whichever corner one begins at, and the union holds all', () => {
  const box = { top: 1, left: 2, width: 8, height: 4 }
  expect(boxBetween({ x: 2, y: 1 }, { x: 10, y: 5 })).toEqual(box)
  expect(boxBetween({ x: 10, y: 1 }, { x: 2, y: 5 })).toEqual(box)
  const union = unionOf([box, { top: 4, left: 0, width: 3, height: 10 }])
  expect(union).toEqual({ top: 1, left: 0, width: 10, height: 13 })
  expect(isWithin(box, union)).toBe(true)
  expect(isWithin(union, box)).toBe(false)
})

test('an XPath leads back to its element, from an id that is its own', () => {
  draw(page)
  expect(xpathOf(find('.label'))).toBe('//*[@id="main"]/div[1]/p[1]/b[1]')
  expect(xpathOf(find('[id="_r_1_"]'))).toBe('//*[@id="main"]/ul[1]/li[2]')
  expect(xpathOf(document.body)).toBe('/html[1]/body[1]')
  for (const selector of ['.label', 'li + li', 'main', 'body']) {
    expect(elementAtXPath(document, xpathOf(find(selector))), selector).toBe(find(selector))
  }
  find('ul').id = 'main'
  expect(xpathOf(find('li'))).toBe('/html[1]/body[1]/main[1]/ul[1]/li[1]')
})

test.each(['', '///', 'alert(1)', '//*[@id="gone"]', 'count(//*)'])('%j leads nowhere', (xpath) => {
  expect(elementAtXPath(document, xpath)).toBeNull()
})

test('the hierarchy is read from the page, outermost first', () => {
  draw(page)
  const names = (selector: string) => levelsOf(find(selector)).map((level) => level.name)
  expect(names('.label')).toEqual(['ListPage', 'Toolbar'])
  expect(names('path')).toEqual(['ListPage', 'Table', 'Row', 'Icon'])
  expect(names('body')).toEqual([])
  expect(componentNameOf(find('.label'))).toBe('Toolbar')
  expect(componentNameOf(document.body)).toBe('body')
})

test('keys walk the tree and stay where there is nothing further', () => {
  draw(page)
  const [one, two, table] = [find('li'), find('li + li'), find('ul')]
  expect(neighbourOf(one, 'next')).toBe(two)
  expect(neighbourOf(two, 'next')).toBe(two)
  expect(neighbourOf(two, 'previous')).toBe(one)
  expect(neighbourOf(two, 'child')).toBe(find('svg'))
  expect(neighbourOf(one, 'child')).toBe(one)
  expect(neighbourOf(one, 'parent')).toBe(table)
  expect(neighbourOf(table, 'previous')).toBe(find('[data-component=Toolbar]'))
  expect(neighbourOf(find('main'), 'parent')).toBe(find('main'))
})

test('an area is named by its size and its distinct components', () => {
  draw(page)
  const elements = [find('.label'), find('li'), find('li + li')]
  expect(areaName(elements)).toBe('Area Selection (3 elements): Toolbar, Row')
  expect(areaName([find('li')])).toBe('Area Selection (1 elements): Row')
  const place = locationOf({ isArea: true, elements })
  expect(place.xpath.split('\n')).toEqual(elements.map(xpathOf))
  expect(place).toMatchObject({ levels: [], selectedText: undefined })
})

test('text that is selected in the element belongs to the note, other text does not', () => {
  draw(page)
  document.getSelection()?.selectAllChildren(find('.label'))
  expect(locationOf({ isArea: false, elements: [find('p')] }).selectedText).toBe('Filter')
  expect(locationOf({ isArea: false, elements: [find('li')] }).selectedText).toBeUndefined()
  expect(locationOf({ isArea: true, elements: [find('p')] }).selectedText).toBeUndefined()
  document.getSelection()?.removeAllRanges()
  expect(locationOf({ isArea: false, elements: [find('p')] }).selectedText).toBeUndefined()
})

test('a note finds its elements again; another component in their place counts as missing', () => {
  draw(page)
  const rows = [find('li'), find('li + li')]
  const area = { xpath: rows.map(xpathOf).join('\n'), componentName: areaName(rows) }
  const one = { xpath: xpathOf(find('.label')), componentName: 'Toolbar' }
  expect(findAnnotated(area)).toEqual({ elements: rows, missing: 0 })
  expect(findAnnotated(one)).toEqual({ elements: [find('.label')], missing: 0 })
  rows[0]?.setAttribute('data-component', 'Header')
  find('[data-component=Toolbar]').setAttribute('data-component', 'Tabs')
  expect(findAnnotated(area)).toEqual({ elements: [rows[1]], missing: 1 })
  expect(findAnnotated(one)).toEqual({ elements: [], missing: 1 })
})

test('a page is kept with its search, but without a note that is shown on it', () => {
  expect(pageUrl({ pathname: '/workflows', search: '' })).toBe('/workflows')
  expect(pageUrl({ pathname: '/workflows', search: '?q=a' })).toBe('/workflows?q=a')
  expect(pageUrl({ pathname: '/workflows', search: '?q=a&annotation=1' })).toBe('/workflows?q=a')
  expect(pageUrl({ pathname: '/', search: '?annotation=1' })).toBe('/')
})
