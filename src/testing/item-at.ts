/** An item of a list that grows, as soon as it is there. */
export const itemAt = async <Item>(items: readonly Item[], index: number): Promise<Item> => {
  for (let item = items[index]; ; item = items[index]) {
    if (item !== undefined) return item
    await new Promise<void>((resolve) => setImmediate(resolve))
  }
}
