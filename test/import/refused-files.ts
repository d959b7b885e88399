import type { Place } from './console-table.ts';
import { HEAD, utf8 } from './saved-files.ts';

interface RefusedFile {
  /** As the program writes it. */
  bytes: Buffer;
  reported: readonly Place[];
  /** What the command line refuses in a folder, and the service tidies in the file of an HR system. */
  tidied?: readonly Place[];
}

/** Files as programs save them that cannot be imported as they are. */
export const REFUSED_FILES: Readonly<Record<string, RefusedFile>> = {
  'Excel on a Mac, carriage returns alone': {
    bytes: Buffer.from(`${HEAD}\ra@b1.example,Ana,Lee\r`),
    reported: [[1, undefined]],
  },
  'a line break within a cell': {
    bytes: utf8(`${HEAD},address`, 'a@b3.example,Ana,Lee,"Flat 2\nTower B"', 'b@b3.example,Bo,Ray,Flat 3,x'),
    reported: [[4, undefined]],
    tidied: [[2, 'addressLine1']],
  },
  'dates whose order nobody has chosen': {
    bytes: utf8(`${HEAD},DOB`, 'a@b5.example,Ana,Lee,03/04/1990', 'b@b5.example,Bo,Ray,#######'),
    reported: [
      [2, 'dateOfBirth'],
      [3, 'dateOfBirth'],
    ],
  },
  'amounts whose sign nobody has chosen': {
    bytes: utf8(`${HEAD},Approval limit`, 'a@b6.example,Ana,Lee,"25,000"'),
    reported: [[2, 'approvalLimit']],
  },
  'what a spreadsheet made of numbers': {
    bytes: utf8(`${HEAD},Mobile,PIN`, 'a@b7.example,Ana,Lee,9.845E+09,#N/A'),
    reported: [
      [2, 'phone'],
      [2, 'pincode'],
    ],
  },
  'a department that two have the name of': {
    bytes: utf8(`${HEAD},Dept`, 'a@b8.example,Ana,Lee,Support'),
    reported: [[2, 'department']],
  },
};
