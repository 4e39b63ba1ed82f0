import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Admission } from '../../src/domain/admission.js'

const newAdmission = (capacity: number) => {
  const entered: string[] = []
  const admission = new Admission(capacity)
  return { entered, admission, request: (name: string) => admission.request(() => entered.push(name)) }
}

test('as many as there is room for enter at once, the rest in order as others leave', () => {
  const { entered, admission, request } = newAdmission(2)
  for (const name of ['a', 'b', 'c', 'd']) request(name)
  expect(entered).toEqual(['a', 'b'])
  admission.leave()
  expect(entered).toEqual(['a', 'b', 'c'])
  admission.leave()
  admission.leave()
  request('e')
  expect(entered).toEqual(['a', 'b', 'c', 'd', 'e'])
})

test('one that no longer waits is passed over, and taking back what has entered changes nothing', () => {
  const { entered, admission, request } = newAdmission(1)
  const takeBackFirst = request('a')
  const takeBack = request('b')
  request('c')
  takeBack()
  takeBackFirst()
  expect(entered).toEqual(['a'])
  admission.leave()
  expect(entered).toEqual(['a', 'c'])
})

test('one that leaves while it enters makes room for all that wait', () => {
  const admission = new Admission(1)
  let entered = 0
  for (let i = 0; i < 10_000; i += 1) {
    admission.request(() => {
      entered += 1
      admission.leave()
    })
  }
  expect(entered).toBe(10_000)
})

test('never more than the capacity are in, and nobody waits while there is room', () => {
  const steps = fc.array(fc.constantFrom('request', 'leave', 'take back'), { maxLength: 60 })
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 4 }), steps, (capacity, plan) => {
      const admission = new Admission(capacity)
      const waiting = new Map<symbol, () => void>()
      let inside = 0
      const perform: Record<string, () => void> = {
        request: () => {
          const name = Symbol()
          waiting.set(name, () => {})
          const takeBack = admission.request(() => {
            inside += 1
            waiting.delete(name)
          })
          if (waiting.has(name)) waiting.set(name, takeBack)
        },
        leave: () => {
          if (inside === 0) return
          inside -= 1
          admission.leave()
        },
        'take back': () => {
          const [name = Symbol(), takeBack] = [...waiting].at(-1) ?? []
          takeBack?.()
          waiting.delete(name)
        },
      }
      for (const step of plan) {
        perform[step]?.()
        expect(inside).toBeLessThanOrEqual(capacity)
        expect(inside === capacity || waiting.size === 0).toBe(true)
      }
    }),
  )
})
