export interface WellKnownCity {
  countryCode: string;
  name: string;
}

/** Two hundred cities that forms are filled in with all over the world, by country. */
const TABLE = `
  IN: Mumbai, Delhi, Bengaluru, Chennai, Hyderabad, Pune, Jaipur, Nagpur, Indore, Surat, Varanasi, Visakhapatnam
  JP: Tokyo, Kyoto, Nagoya, Sapporo, Fukuoka, Hiroshima
  CN: Beijing, Shenzhen, Wuhan, Nanjing, Hangzhou, Shenyang, Suzhou, Xiamen
  KR: Seoul, Busan
  TW: Taipei, Kaohsiung
  PH: Quezon City, Cebu City
  ID: Bandung, Surabaya
  MY: Kuala Lumpur
  SG: Singapore
  TH: Chiang Mai, Phuket
  VN: Haiphong, Da Nang
  KH: Phnom Penh
  LA: Vientiane
  MM: Mandalay
  BD: Dhaka
  NP: Kathmandu
  LK: Colombo
  PK: Lahore, Islamabad, Rawalpindi
  IR: Tehran, Isfahan
  IQ: Baghdad
  SA: Riyadh, Mecca, Medina
  AE: Abu Dhabi
  QA: Doha
  OM: Muscat
  LB: Beirut
  SY: Damascus
  IL: Jerusalem, Tel Aviv
  TR: Ankara, İzmir
  UZ: Tashkent, Samarkand
  GE: Tbilisi
  AM: Yerevan
  MN: Ulan Bator
  RU: Moscow, Novosibirsk, Yekaterinburg, Vladivostok
  UA: Kyiv, Odesa, Lviv
  PL: Warsaw, Kraków, Wrocław, Łódź
  CZ: Brno
  HU: Budapest
  RO: Bucharest
  GR: Athens, Thessaloniki
  HR: Zagreb
  SI: Ljubljana
  AT: Salzburg
  CH: Zürich, Geneva, Bern
  DE: Berlin, Munich, Stuttgart, Dresden, Hannover, Bremen
  FR: Paris, Marseille, Toulouse, Strasbourg, Nice
  BE: Brussels
  NL: Amsterdam, Rotterdam
  GB: London, Manchester, Birmingham, Glasgow, Edinburgh, York, Leeds
  IE: Dublin
  ES: Madrid, Barcelona, Valencia
  PT: Lisbon, Porto
  IT: Rome, Naples, Turin, Florence, Palermo
  SE: Göteborg, Malmö
  NO: Bergen
  DK: København
  FI: Helsinki, Tampere
  LV: Riga
  IS: Reykjavík
  US: New York City, Los Angeles, Houston, Philadelphia, San Diego, San Antonio, San Francisco, Seattle, Denver, Miami, Atlanta, Las Vegas, Nashville, New Orleans, Washington D.C.
  CA: Toronto, Vancouver, Calgary, Edmonton
  MX: Mexico City, Monterrey, Tijuana
  CU: Havana
  DO: Santo Domingo
  SV: San Salvador
  PA: Panamá
  JM: Kingston
  CO: Bogotá D.C., Cali
  VE: Caracas
  EC: Quito, Guayaquil
  PE: Cusco
  BO: La Paz
  CL: Santiago
  AR: Córdoba, Mendoza
  UY: Montevideo
  BR: Rio de Janeiro, Brasília, Fortaleza, Recife, Porto Alegre, Manaus
  EG: Cairo
  MA: Casablanca, Marrakesh
  TN: Tunis
  SD: Khartoum
  ET: Addis Ababa
  KE: Mombasa
  TZ: Dar es Salaam
  RW: Kigali
  NG: Lagos, Kano
  GH: Accra
  SN: Dakar
  AO: Luanda
  ZM: Lusaka
  MZ: Maputo
  ZA: Johannesburg, Durban, Pretoria
  AU: Sydney, Brisbane, Perth, Canberra, Darwin
  NZ: Wellington
`;

export const WELL_KNOWN_CITIES: readonly WellKnownCity[] = TABLE.trim()
  .split('\n')
  .flatMap((line) => {
    const [countryCode = '', names = ''] = line.trim().split(': ');
    return names.split(', ').map((name) => ({ countryCode, name }));
  });
