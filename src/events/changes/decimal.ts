const NUMBER = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/;

/** JavaScript numbers are exact for exponents of up to this many characters. */
const MAX_SAFE_DIGITS = 15;

/** Longer exponents are not computed: converting them to a BigInt could take seconds. */
const MAX_BIGINT_DIGITS = 1_000;

/**
 * Returns a text that two JSON numbers share if they have the same decimal value, such as `1`, `1.0` and `10e-1`. The zeros of an
 * exponent are never written out, so `1e999999999` costs no more than its characters.
 *
 * Equal numbers with an exponent of more than a thousand digits may count as different if they are written differently.
 */
export function toDecimalKey(number: string): string {
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = NUMBER.exec(number) ?? [];
  const digits = whole + fraction;
  let start = 0;
  while (digits[start] === '0') start += 1;
  if (start === digits.length) return '0';
  let end = digits.length;
  while (digits[end - 1] === '0') end -= 1;
  return `${sign}${digits.slice(start, end)}e${addToExponent(exponent, digits.length - end - fraction.length)}`;
}

function addToExponent(exponent: string, added: number): string {
  if (exponent.length <= MAX_SAFE_DIGITS) return String(Number(exponent) + added);
  if (exponent.length <= MAX_BIGINT_DIGITS) return String(BigInt(exponent) + BigInt(added));
  return `${exponent}+${added}`;
}
