/** Of a picture, before anybody turns it (Exif). */
export type Sides = { widthPixels: number; heightPixels: number };
