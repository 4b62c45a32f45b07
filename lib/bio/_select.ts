/**
 * The number that would stand at a place if the list were sorted ascending (quickselect, Hoare 1961). It is the same
 * number whatever the order of the list, so nothing hangs on how it is found.
 *
 * @param list Numbers; they change places.
 * @param place From 0 to one less than there are.
 */
export function numberAt(list: Float64Array, place: number): number {
  let low = 0, high = list.length - 1;
  while (low < high) {
    const pivot = list[(low + high) >> 1]!;
    let left = low, right = high;
    while (left <= right) {
      while (list[left]! < pivot) left++;
      while (list[right]! > pivot) right--;
      if (left > right) break;
      const held = list[left]!;
      list[left++] = list[right]!;
      list[right--] = held;
    }
    if (place <= right) high = right;
    else if (place >= left) low = left;
    else break;
  }
  return list[place]!;
}
