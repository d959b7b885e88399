import { domainToASCII } from 'node:url';

/** Returns the domain of an e-mail address as the name system has it: `bücher.example` is `xn--bcher-kva.example`. */
export function domainOfAddress(address: string): string {
  const domain = address.slice(address.lastIndexOf('@') + 1);
  return domainToASCII(domain) || domain.toLowerCase();
}
